package io.rask.catalog.grant;

import io.rask.catalog.access.AccessModel;
import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Grantee;
import io.rask.catalog.access.Grants;
import io.rask.catalog.access.ManagedAccess;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Rung;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.hierarchy.RoleRegistry;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.AccessCheckRequest;
import io.rask.catalog.wire.AccessCheckResponse;
import io.rask.catalog.wire.GrantRequest;
import io.rask.catalog.wire.GrantResponse;
import io.rask.catalog.wire.GrantsResponse;
import io.rask.catalog.wire.ManagedAccessResponse;
import io.rask.catalog.wire.PermissionsResponse;
import io.rask.catalog.wire.RevokeResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Does what the doors of rights are for, the same for every kind of object; only on what is there, and where there is an engine. */
@Component
final class AccessDesk {
    private final ObjectProvider<Grants> grants;
    private final ObjectProvider<ManagedAccess> managed;
    private final ObjectProvider<AccessModel> model;
    private final Authorization authorization;
    private final GovernedObjects objects;
    private final Ancestry ancestry;
    private final RoleRegistry roles;

    AccessDesk(
            ObjectProvider<Grants> grants,
            ObjectProvider<ManagedAccess> managed,
            ObjectProvider<AccessModel> model,
            Authorization authorization,
            GovernedObjects objects,
            Ancestry ancestry,
            RoleRegistry roles) {
        this.grants = grants;
        this.managed = managed;
        this.model = model;
        this.authorization = authorization;
        this.objects = objects;
        this.ancestry = ancestry;
        this.roles = roles;
    }

    /** The part of the engine that is needed, for an object that is there. */
    private <T> T on(AccessObject object, ObjectProvider<T> needed) {
        T engine = EngineNeeded.from(needed);
        objects.require(object);
        return engine;
    }

    GrantsResponse list(AccessObject object) {
        return new GrantsResponse(
                on(object, grants).of(object).stream().map(AccessDesk::told).toList());
    }

    /**
     * Gives a rung, and looks afterwards whether all is still there: what was dropped meanwhile keeps nothing of it.
     *
     * @throws CatalogException code 13 for what cannot be given to such a grantee; code 14 on what is being deleted, and for a table
     *     or view that has another name by then
     */
    GrantResponse give(AccessObject object, GrantRequest body, Principal caller) {
        Grants engine = on(object, grants);
        Grantee grantee = Grantee.of(body.principal());
        Rung rung = Rung.of(object.kind(), body.rung());
        if (rung == Rung.ADMIN && grantee.kind() != Grantee.Kind.USER) {
            throw CatalogException.invalid("Only callers administer a project, no team and no role does.");
        }
        if (grantee.kind() == Grantee.Kind.ROLE) {
            requireSameProject(object, grantee.role());
        }
        objects.requireOpen(object);
        requireRole(grantee);
        Runnable stillThere = () -> {
            objects.requireSameName(object);
            objects.requireOpen(object);
            requireRole(grantee);
        };
        Long seconds = body.expiresInSeconds();
        @Nullable Duration lifetime = seconds == null ? null : Duration.ofSeconds(seconds);
        return told(engine.give(caller, object, grantee, rung, lifetime, stillThere));
    }

    private void requireRole(Grantee grantee) {
        if (grantee.kind() == Grantee.Kind.ROLE) {
            roles.require(grantee.role());
        }
    }

    /** A role's grant stays within its tenant. */
    private void requireSameProject(AccessObject object, RoleName role) {
        if (ancestry.project(object).filter(role.project()::equals).isEmpty()) {
            throw CatalogException.invalid(
                    "A role is given rungs on its own project and what lies in it, on nothing else.",
                    List.of(new FieldViolation("principal", "must be a role of the object's project")));
        }
    }

    /**
     * Takes a rung back, and looks afterwards whether the object still has its name: a renaming may have taken along what was to go.
     *
     * @throws CatalogException code 14 for the last administrator, and for a table or view that has another name by then
     */
    RevokeResponse take(AccessObject object, String principal, String rung) {
        boolean taken = on(object, grants).take(object, Grantee.of(principal), Rung.of(object.kind(), rung));
        objects.requireSameName(object);
        return new RevokeResponse(principal, rung, taken);
    }

    AccessCheckResponse check(AccessObject object, AccessCheckRequest body) {
        Grants engine = on(object, grants);
        Grantee asked = Grantee.of(body.principal());
        if (asked.kind() != Grantee.Kind.USER) {
            throw CatalogException.invalid(
                    "Only callers can be asked about.",
                    List.of(new FieldViolation("principal", "must be user:<subject>")));
        }
        Relation action = actions(object).stream()
                .filter(relation -> relation.wireName().equals(body.action()))
                .findFirst()
                .orElseThrow(() -> CatalogException.invalid(
                        "There is no such action on a " + object.kind().type().replace('_', ' ') + ".",
                        List.of(new FieldViolation("action", "must be one that my-permissions can tell"))));
        return new AccessCheckResponse(body.principal(), body.action(), engine.allows(asked.name(), action, object));
    }

    PermissionsResponse permissions(AccessObject object, Principal caller) {
        on(object, grants);
        List<Relation> actions = actions(object);
        List<Boolean> verdicts = authorization.quietly(actions.stream()
                .map(action -> new Question(caller, action, object))
                .toList());
        return new PermissionsResponse(
                caller.subject(),
                IntStream.range(0, actions.size())
                        .filter(verdicts::get)
                        .mapToObj(at -> actions.get(at).wireName())
                        .sorted()
                        .toList());
    }

    /** The actions that objects of the kind have in the model. */
    private List<Relation> actions(AccessObject object) {
        AccessModel known = EngineNeeded.from(model);
        return Arrays.stream(Relation.values())
                .filter(Relation::isAction)
                .filter(relation -> known.has(object.kind().type(), relation.wireName()))
                .toList();
    }

    ManagedAccessResponse managed(AccessObject object) {
        return told(on(object, managed).of(object));
    }

    ManagedAccessResponse manage(AccessObject object, boolean wanted) {
        return told(on(object, managed).set(object, wanted));
    }

    private static ManagedAccessResponse told(ManagedAccess.State state) {
        return new ManagedAccessResponse(state.managed(), state.inherited());
    }

    private static GrantResponse told(Grants.Grant grant) {
        Instant end = grant.expiresAt();
        return new GrantResponse(grant.principal(), grant.rung(), end == null ? null : end.toString());
    }
}
