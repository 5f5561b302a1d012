package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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

    private static final int NOT_FOUND = 404;

    private final PermissionEngine engine;
    private final Navigation navigation;
    private final RoleNesting nesting;
    private final Clock clock;

    Grants(PermissionEngine engine, Navigation navigation, Clock clock) {
        this.engine = engine;
        this.navigation = navigation;
        this.nesting = new RoleNesting(engine);
        this.clock = clock;
    }

    /**
     * Something given to somebody.
     *
     * @param principal as {@link Grantee#of} reads it
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
     * @param stillThere throws when nothing can be given on the object, or to the grantee, any more; it runs when it is given, which is
     *     taken back then
     * @throws CatalogException code 13 for a time that cannot be, and for roles that would lie in one another without end; code 15 when
     *     the caller would gain by it; code 17 when the engine does not take it, and what was given for another time may be gone; a
     *     repeat gives it
     */
    public Grant give(
            Principal caller,
            AccessObject object,
            Grantee grantee,
            Rung rung,
            @Nullable Duration lifetime,
            Runnable stillThere) {
        if (lifetime != null && !rung.mayEnd()) {
            throw CatalogException.invalid("The rung " + rung.wireName() + " is not given for a time.");
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        refuseOwnGain(caller, object, grantee, rung, now.plus(lifetime == null ? FOREVER : lifetime));
        boolean nests = object.kind() == AccessObject.Kind.ROLE && grantee.kind() == Grantee.Kind.ROLE;
        if (nests) {
            nesting.require(object, grantee);
        }
        Tuple fact = new Tuple(
                grantee.fact(),
                rung.wireName(),
                ObjectNames.of(object),
                lifetime == null ? null : new Tuple.Expiry(now, lifetime));
        Change change = write(fact, object);
        try {
            if (nests) {
                // Others may have put roles into one another at the same time; who looks last sees them all.
                nesting.require(object, grantee);
            }
            stillThere.run();
        } catch (RuntimeException e) {
            throw takenBack(fact, object, change, e);
        }
        return Grant.of(fact);
    }

    /** What a grant has done to what was given before. */
    private enum Change {
        NONE,
        ADDED,
        /** What was given for another time is gone. */
        REPLACED
    }

    private Change write(Tuple fact, AccessObject object) {
        List<Tuple> way = navigation.towards(fact.user(), object);
        Optional<Tuple> before = given(fact);
        if (before.isPresent() && before.get().equals(fact)) {
            engine.write(way, List.of());
            return Change.NONE;
        }
        List<Tuple> facts = new ArrayList<>(way);
        facts.add(fact);
        // The engine has no change that gives a fact another time.
        before.ifPresent(other -> engine.write(List.of(), List.of(other)));
        try {
            engine.write(facts, List.of());
        } catch (CatalogException e) {
            throw before.isEmpty() ? e : halfGiven(e);
        }
        return before.isEmpty() ? Change.ADDED : Change.REPLACED;
    }

    private static CatalogException halfGiven(RuntimeException reason) {
        return CatalogException.unavailable(
                "What was given for another time is taken back, and it is not confirmed what is given instead; repeat the"
                        + " request.",
                reason);
    }

    /** @return what the caller is told */
    private RuntimeException takenBack(Tuple fact, AccessObject object, Change change, RuntimeException reason) {
        try {
            if (change != Change.NONE) {
                engine.write(List.of(), List.of(fact));
            }
            navigation.left(object, List.of(fact));
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
        return change == Change.REPLACED && !isGone(reason) ? halfGiven(reason) : reason;
    }

    /** Of what is gone nothing need be given; what is renamed is told of by its code. */
    private static boolean isGone(RuntimeException reason) {
        return reason instanceof CatalogException told
                && (told.code() == ErrorCode.CONCURRENT_MODIFICATION
                        || told.code().status() == NOT_FOUND);
    }

    /** Whoever gives to himself, or to a group he is in, must have it already, and for as long. */
    private void refuseOwnGain(Principal caller, AccessObject object, Grantee grantee, Rung rung, Instant until) {
        if (concerns(caller, grantee) && !engine.holds(caller, rung.heldAs(object.kind()), object, until)) {
            throw CatalogException.of(
                    ErrorCode.PERMISSION_DENIED,
                    "Nobody gives to himself, or to a team or role he is in, what he has not; let somebody else give it.");
        }
    }

    /** Groups are known of those alone who come with a token; of others any team may be theirs, and so any role that holds teams. */
    private boolean concerns(Principal caller, Grantee grantee) {
        boolean everyGroup = caller.means() != Principal.Means.TOKEN;
        return switch (grantee.kind()) {
            case USER -> grantee.name().equals(caller.subject());
            case TEAM ->
                everyGroup
                        || caller.teams().contains(grantee.name())
                        || given(new Tuple(
                                        ObjectNames.user(caller.subject()), "member", ObjectNames.team(grantee.name())))
                                .isPresent();
            case ROLE ->
                everyGroup
                        || engine.holds(
                                caller, Rung.ASSIGNEE.wireName(), AccessObject.role(grantee.role()), clock.instant());
        };
    }

    private Optional<Tuple> given(Tuple fact) {
        return engine.read(fact.user(), fact.relation(), fact.object(), null).tuples().stream()
                .findFirst();
    }

    /**
     * Takes a rung back.
     *
     * @return whether it was given on the object itself; what is inherited stays
     * @throws CatalogException code 14 for the last administrator of a project; code 17 when the engine does not take it, or does not
     *     say whether the project has another administrator
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
        if (rung == Rung.ADMIN) {
            takeAdmin(fact.get());
        } else {
            engine.write(List.of(), List.of(fact.get()));
        }
        navigation.left(object, List.of(fact.get()));
        return true;
    }

    private void takeAdmin(Tuple admin) {
        try {
            engine.write(List.of(), List.of(admin));
        } catch (CatalogException e) {
            // The engine may have done it without saying so.
            try {
                keepOne(admin);
            } catch (CatalogException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
        keepOne(admin);
    }

    /**
     * Of two who are taken away at the same time, each may see that none is left, and both come back; so does one of whom it cannot be
     * seen.
     */
    private void keepOne(Tuple admin) {
        CatalogException reason;
        try {
            if (!engine.all(null, admin.relation(), admin.object()).isEmpty()) {
                return;
            }
            reason = isLast();
        } catch (CatalogException e) {
            reason = CatalogException.unavailable(
                    "The permission engine does not say whether the project has another administrator, so this one stays; repeat"
                            + " the request.",
                    e);
        }
        try {
            engine.write(List.of(admin), List.of());
        } catch (CatalogException e) {
            throw CatalogException.unavailable(
                    "The permission engine has not confirmed that the project keeps an administrator; look at its members, and"
                            + " make one where there is none.",
                    e);
        }
        throw reason;
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
