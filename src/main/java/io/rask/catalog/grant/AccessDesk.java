package io.rask.catalog.grant;

import io.rask.catalog.access.AccessModel;
import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Grantee;
import io.rask.catalog.access.Grants;
import io.rask.catalog.access.ManagedAccess;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Rung;
import io.rask.catalog.door.Existence;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.problem.ErrorCode;
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
    private final Existence existence;
    private final ProjectRegistry projects;
    private final WarehouseRegistry warehouses;

    AccessDesk(
            ObjectProvider<Grants> grants,
            ObjectProvider<ManagedAccess> managed,
            ObjectProvider<AccessModel> model,
            Authorization authorization,
            Existence existence,
            ProjectRegistry projects,
            WarehouseRegistry warehouses) {
        this.grants = grants;
        this.managed = managed;
        this.model = model;
        this.authorization = authorization;
        this.existence = existence;
        this.projects = projects;
        this.warehouses = warehouses;
    }

    /** @throws CatalogException code 4 when there is no such table, code 0 without an engine */
    AccessObject table(ObjectId id) {
        required(grants);
        if (!existence.table(id)) {
            throw Absence.table(id);
        }
        return AccessObject.table(id);
    }

    /** @throws CatalogException code 1 when there is no such namespace, code 0 without an engine */
    AccessObject namespace(ObjectId id) {
        required(grants);
        if (id.isRoot()) {
            throw CatalogException.invalid("Nothing is given on the root; give it on warehouses or namespaces.");
        }
        if (!existence.namespace(id)) {
            throw Absence.namespace(id);
        }
        return AccessObject.namespace(id);
    }

    /** @throws CatalogException code 4 when there is no such warehouse, code 0 without an engine */
    AccessObject warehouse(String id) {
        required(grants);
        return AccessObject.warehouse(warehouses.require(id).id());
    }

    /** @throws CatalogException code 4 when there is no such project, code 0 without an engine */
    AccessObject project(String id) {
        required(grants);
        return AccessObject.project(projects.require(id).id());
    }

    GrantsResponse list(AccessObject object) {
        return new GrantsResponse(
                required(grants).of(object).stream().map(AccessDesk::told).toList());
    }

    GrantResponse give(AccessObject object, GrantRequest body, Principal caller) {
        Grantee grantee = Grantee.of(body.principal());
        Rung rung = Rung.of(object.kind(), body.rung());
        if (rung == Rung.ADMIN && grantee.isTeam()) {
            throw CatalogException.invalid("A team does not administer a project; its members can.");
        }
        Long seconds = body.expiresInSeconds();
        @Nullable Duration lifetime = seconds == null ? null : Duration.ofSeconds(seconds);
        return told(required(grants).give(caller, object, grantee, rung, lifetime));
    }

    RevokeResponse take(AccessObject object, String principal, String rung) {
        boolean taken = required(grants).take(object, Grantee.of(principal), Rung.of(object.kind(), rung));
        return new RevokeResponse(principal, rung, taken);
    }

    AccessCheckResponse check(AccessObject object, AccessCheckRequest body) {
        Grantee asked = Grantee.of(body.principal());
        if (asked.isTeam()) {
            throw CatalogException.invalid(
                    "Only callers can be asked about.",
                    List.of(new FieldViolation("principal", "must be user:<subject>")));
        }
        Relation action = actions(object).stream()
                .filter(relation -> relation.wireName().equals(body.action()))
                .findFirst()
                .orElseThrow(() -> CatalogException.invalid(
                        "There is no such action on a " + object.kind().type() + ".",
                        List.of(new FieldViolation("action", "must be one that my-permissions can tell"))));
        return new AccessCheckResponse(
                body.principal(), body.action(), required(grants).allows(asked.name(), action, object));
    }

    PermissionsResponse permissions(AccessObject object, Principal caller) {
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
        AccessModel known = required(model);
        return Arrays.stream(Relation.values())
                .filter(Relation::isAction)
                .filter(relation -> known.has(object.kind().type(), relation.wireName()))
                .toList();
    }

    ManagedAccessResponse managed(AccessObject object) {
        return told(required(managed).of(object));
    }

    ManagedAccessResponse manage(AccessObject object, boolean wanted) {
        return told(required(managed).set(object, wanted));
    }

    private static ManagedAccessResponse told(ManagedAccess.State state) {
        return new ManagedAccessResponse(state.managed(), state.inherited());
    }

    private static GrantResponse told(Grants.Grant grant) {
        Instant end = grant.expiresAt();
        return new GrantResponse(grant.principal(), grant.rung(), end == null ? null : end.toString());
    }

    private static <T> T required(ObjectProvider<T> engine) {
        T there = engine.getIfAvailable();
        if (there == null) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED, "This server asks nobody what callers may do (lance.fga.enabled is false).");
        }
        return there;
    }
}
