package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** What was given to whom on an object, and giving and taking it. Who may do so is the doors' question. */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "true")
public final class Grants {
    /** Later than any grant that ends by itself. */
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final PermissionEngine engine;
    private final Navigation navigation;
    private final Clock clock;

    Grants(PermissionEngine engine, Navigation navigation, Clock clock) {
        this.engine = engine;
        this.navigation = navigation;
        this.clock = clock;
    }

    /**
     * Something given to somebody.
     *
     * @param principal {@code user:<subject>}, {@code team:<name>}, or what else the engine has
     * @param expiresAt when it ends by itself; null when it does not
     */
    public record Grant(
            String principal, String rung, @Nullable Instant expiresAt) {
        private static Grant of(Tuple fact) {
            Tuple.Expiry expiry = fact.expiry();
            return new Grant(
                    Grantee.told(fact.user()),
                    fact.relation(),
                    expiry == null ? null : expiry.granted().plus(expiry.duration()));
        }
    }

    /** What was given on the object itself, in order; what is inherited is not among it. */
    public List<Grant> of(AccessObject object) {
        Set<String> rungs = Rung.of(object.kind()).stream().map(Rung::wireName).collect(Collectors.toSet());
        return engine.of(ObjectNames.of(object)).stream()
                .filter(fact -> rungs.contains(fact.relation()))
                .map(Grant::of)
                .sorted(Comparator.comparing(Grant::principal).thenComparing(Grant::rung))
                .toList();
    }

    /**
     * Gives a rung; what was given to the same one for another time is given for this one from now on.
     *
     * @param lifetime for how long; null for good
     * @throws CatalogException code 13 for a time that cannot be; code 15 when the caller would gain by it
     */
    public Grant give(Principal caller, AccessObject object, Grantee grantee, Rung rung, @Nullable Duration lifetime) {
        if (lifetime != null && !rung.mayEnd()) {
            throw CatalogException.invalid("The rung " + rung.wireName() + " is not given for a time.");
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        refuseOwnGain(caller, object, grantee, rung, now.plus(lifetime == null ? FOREVER : lifetime));
        Tuple fact = new Tuple(
                grantee.fact(),
                rung.wireName(),
                ObjectNames.of(object),
                lifetime == null ? null : new Tuple.Expiry(now, lifetime));
        Optional<Tuple> before = given(fact);
        if (before.isPresent() && !before.get().equals(fact)) {
            engine.write(List.of(), List.of(before.get()));
        }
        engine.write(List.of(fact), List.of());
        engine.write(navigation.towards(fact.user(), object), List.of());
        return Grant.of(fact);
    }

    /** Whoever gives to himself, or to a team he is in, must have it already, and for as long. */
    private void refuseOwnGain(Principal caller, AccessObject object, Grantee grantee, Rung rung, Instant until) {
        boolean concerned =
                grantee.isTeam() ? isIn(caller, grantee) : grantee.name().equals(caller.subject());
        if (concerned && !engine.holds(caller, rung, object, until)) {
            throw CatalogException.of(
                    ErrorCode.PERMISSION_DENIED,
                    "Nobody gives to himself, or to a team he is in, what he has not; let somebody else give it.");
        }
    }

    /** Groups are known of those alone who come with a token; of others any team may be theirs. */
    private boolean isIn(Principal caller, Grantee team) {
        return caller.means() != Principal.Means.TOKEN
                || caller.teams().contains(team.name())
                || given(new Tuple(ObjectNames.user(caller.subject()), "member", ObjectNames.team(team.name())))
                        .isPresent();
    }

    private Optional<Tuple> given(Tuple fact) {
        return engine.read(fact.user(), fact.relation(), fact.object(), null).tuples().stream()
                .findFirst();
    }

    /**
     * Takes a rung back.
     *
     * @return whether it was given on the object itself; what is inherited stays
     * @throws CatalogException code 14 for the last administrator of a project
     */
    public boolean take(AccessObject object, Grantee grantee, Rung rung) {
        Optional<Tuple> fact = given(new Tuple(grantee.fact(), rung.wireName(), ObjectNames.of(object)));
        if (fact.isEmpty()) {
            return false;
        }
        if (rung == Rung.ADMIN
                && engine.all(null, rung.wireName(), ObjectNames.of(object)).size() < 2) {
            throw isLast();
        }
        engine.write(List.of(), List.of(fact.get()));
        if (rung == Rung.ADMIN) {
            keepOne(fact.get());
        }
        navigation.left(object, List.of(fact.get()));
        return true;
    }

    /** Of two who are taken away at the same time, each may see that none is left, and both come back. */
    private void keepOne(Tuple admin) {
        if (engine.all(null, admin.relation(), admin.object()).isEmpty()) {
            engine.write(List.of(admin), List.of());
            throw isLast();
        }
    }

    private static CatalogException isLast() {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "This is the last administrator of the project; make another one first.");
    }

    /** Whether a caller of whom nothing but the name is known may do something. */
    public boolean allows(String subject, Relation action, AccessObject object) {
        Principal other = Principal.of(subject, Principal.Means.TOKEN);
        return engine.check(List.of(new Question(other, action, object))).getFirst();
    }
}
