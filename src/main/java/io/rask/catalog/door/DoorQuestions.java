package io.rask.catalog.door;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Rung;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.RoleRegistry;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.wire.CreateMode;
import io.rask.catalog.wire.CreateNamespaceRequest;
import io.rask.catalog.wire.DropMode;
import io.rask.catalog.wire.DropNamespaceRequest;
import io.rask.catalog.wire.GivesRung;
import io.rask.catalog.wire.RegisterMode;
import io.rask.catalog.wire.RegisterTableRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What a request must be allowed, as its door declares it and its path and body name it. */
@Component
final class DoorQuestions {
    private final Ancestry ancestry;
    private final Existence existence;
    private final ProjectRegistry projects;
    private final RoleRegistry roles;
    private final JobRights jobs;
    private final UnfinishedDeletions deletions;
    private final CatalogProperties properties;

    DoorQuestions(
            Ancestry ancestry,
            Existence existence,
            ProjectRegistry projects,
            RoleRegistry roles,
            JobRights jobs,
            UnfinishedDeletions deletions,
            CatalogProperties properties) {
        this.ancestry = ancestry;
        this.existence = existence;
        this.projects = projects;
        this.roles = roles;
        this.jobs = jobs;
        this.deletions = deletions;
        this.properties = properties;
    }

    /** All that must be allowed; nothing where the door leads to nothing in particular, or the handler asks for each item of all there is. */
    List<Question> of(DoorCall call) {
        return switch (call.door().asks()) {
            case NOTHING -> List.of();
            case EACH_ITEM ->
                database(call).stream()
                        .map(object -> question(call, Relation.CAN_GET_METADATA, object))
                        .toList();
            case JOB -> List.of(jobs.of(call));
            case BATCH -> BatchQuestions.of(call);
            case TARGET -> deletions.questions(call).orElseGet(() -> target(call));
            case GRANT -> grant(call);
        };
    }

    /** A list of what is in a database shows whoever does not see the database nothing, not even that there is one. */
    private static Optional<AccessObject> database(DoorCall call) {
        return call.door().target() == Target.NONE
                ? namespace(call.context().scope().namespace())
                : Optional.empty();
    }

    private List<Question> target(DoorCall call) {
        Door door = call.door();
        List<Question> questions = new ArrayList<>();
        if (door.target() == Target.TRANSACTION) {
            questions.add(transaction(call));
        } else {
            onTarget(call).ifPresent(questions::add);
        }
        call.destination().ifPresent(to -> {
            for (Relation relation : door.onDestination()) {
                questions.add(question(call, relation, AccessObject.namespace(to.parent())));
            }
        });
        if (door.mints() && replaces(call)) {
            replaced(call).ifPresent(questions::add);
        }
        if (door.mints()
                && keeps(call)
                && !saw(call, existence.seenNamespace(call.targetObject())).isNothing()) {
            questions.add(question(call, Relation.CAN_GET_METADATA, AccessObject.namespace(call.targetObject())));
        }
        return questions;
    }

    private Optional<Question> onTarget(DoorCall call) {
        if (skipsAbsent(call)
                && saw(call, existence.seenNamespace(call.targetObject())).isNothing()) {
            return container(call.targetObject(), AccessObject.ESTATE)
                    .map(holder -> question(call, ownersOf(holder), holder));
        }
        return asked(call).map(object -> question(call, call.door().relation(), object));
    }

    /** Whether the absence of the target is a success, for who owns what it would lie in. */
    private static boolean skipsAbsent(DoorCall call) {
        return call.body().orElse(null) instanceof DropNamespaceRequest drop
                && drop.mode() == DropMode.SKIP
                && !call.targetObject().isRoot();
    }

    /** What only owners may do. */
    private static Relation ownersOf(AccessObject holder) {
        return switch (holder.kind()) {
            case NAMESPACE -> Relation.CAN_DELETE;
            case ESTATE -> Relation.CAN_ADMINISTER;
            default -> Relation.CAN_SET_PROTECTION;
        };
    }

    private static Seen saw(DoorCall call, Seen seen) {
        call.context().saw(seen);
        return seen;
    }

    /** Each rung has a right of its own to give it. */
    private List<Question> grant(DoorCall call) {
        Optional<AccessObject> object = asked(call);
        if (object.isEmpty()) {
            return List.of();
        }
        GivesRung body = call.body()
                .filter(GivesRung.class::isInstance)
                .map(GivesRung.class::cast)
                .orElseThrow();
        Rung rung = Rung.of(object.get().kind(), body.rung());
        return List.of(question(call, rung.givenBy(), object.get()));
    }

    private static Question question(DoorCall call, Relation relation, AccessObject object) {
        return new Question(call.principal(), relation, object);
    }

    private Optional<AccessObject> asked(DoorCall call) {
        Door door = call.door();
        if (door.target() == Target.ESTATE || door.relation() == Relation.CAN_CREATE_PROJECT) {
            return Optional.of(AccessObject.ESTATE);
        }
        if (door.relation() == Relation.CAN_CREATE_ROLE) {
            // Whoever may make roles may also take them away.
            return Optional.of(AccessObject.project(call.project().orElseThrow()));
        }
        Target kind = door.askedOnParent() ? door.parent() : door.target();
        return switch (kind) {
            case PROJECT -> Optional.of(AccessObject.project(call.project().orElseThrow()));
            case ROLE -> Optional.of(AccessObject.role(call.targetRole()));
            case WAREHOUSE ->
                Optional.of(AccessObject.warehouse(call.warehouse().orElseThrow()));
            case NAMESPACE ->
                door.askedOnParent() ? container(call.targetObject(), null) : namespace(call.targetObject());
            case TABLE -> Optional.of(AccessObject.table(call.targetObject()));
            case MATERIALIZED_VIEW -> Optional.of(AccessObject.view(call.targetObject()));
            case NONE, ESTATE, TRANSACTION ->
                throw new IllegalStateException("The door says of no object what the caller must be allowed.");
        };
    }

    /** The root is everybody's: what it holds is asked for one by one. */
    private static Optional<AccessObject> namespace(ObjectId id) {
        return id.isRoot() ? Optional.empty() : Optional.of(AccessObject.namespace(id));
    }

    /**
     * What a new object is made in. Without warehouses the root is open to everybody, unless it is locked.
     *
     * @param unbound what stands for it where a name is bound nowhere
     */
    private Optional<AccessObject> container(ObjectId id, @Nullable AccessObject unbound) {
        boolean isOpen = id.depth() == 1
                && !properties.warehousesEnabled()
                && !properties.fga().lockRootCreate();
        return isOpen ? Optional.empty() : ancestry.parent(id).or(() -> Optional.ofNullable(unbound));
    }

    private static Question transaction(DoorCall call) {
        ObjectId id = call.targetObject();
        Relation relation = call.door().relation();
        if (id.depth() == 1) {
            return question(call, relation, AccessObject.transaction(id.name()));
        }
        boolean reads = relation == Relation.CAN_DESCRIBE;
        return question(
                call,
                reads ? Relation.CAN_GET_METADATA : Relation.CAN_UPDATE_PROPERTIES,
                AccessObject.table(id.parent()));
    }

    /** Whether the answer tells of a namespace that is there already. */
    private static boolean keeps(DoorCall call) {
        return call.door().target() == Target.NAMESPACE
                && call.body().orElse(null) instanceof CreateNamespaceRequest create
                && create.mode() == CreateMode.EXIST_OK;
    }

    private static boolean replaces(DoorCall call) {
        Object body = call.body().orElse(null);
        if (body instanceof CreateNamespaceRequest create) {
            return create.mode() == CreateMode.OVERWRITE;
        }
        if (body instanceof RegisterTableRequest register) {
            return register.mode() == RegisterMode.OVERWRITE;
        }
        return body == null
                && call.context()
                        .query("mode")
                        .filter(mode -> !mode.isEmpty() && CreateMode.of(mode) == CreateMode.OVERWRITE)
                        .isPresent();
    }

    /** Whoever replaces what is there destroys it; making what is not there needs no such right. */
    private Optional<Question> replaced(DoorCall call) {
        ObjectId id = call.targetObject();
        if (call.door().target() == Target.NAMESPACE) {
            return saw(call, existence.seenNamespace(id)).isNothing()
                    ? Optional.empty()
                    : Optional.of(question(call, Relation.CAN_DELETE, AccessObject.namespace(id)));
        }
        return saw(call, existence.seenTable(id)).isNothing()
                ? Optional.empty()
                : Optional.of(question(call, Relation.CAN_DROP, AccessObject.table(id)));
    }

    /** What a caller must be allowed to learn that the target is absent. */
    List<Question> revealing(DoorCall call) {
        Door door = call.door();
        if (door.asks() == Asked.EACH_ITEM) {
            return database(call).isEmpty()
                    ? List.of()
                    : reading(call, call.context().scope().namespace());
        }
        if (door.mints() || (door.asks() != Asked.TARGET && door.asks() != Asked.GRANT)) {
            return List.of();
        }
        return switch (door.target()) {
            case NAMESPACE, TABLE, MATERIALIZED_VIEW -> reading(call, call.targetObject());
            case PROJECT -> List.of(question(call, Relation.CAN_OBSERVE_EVENTS, AccessObject.ESTATE));
            case ROLE ->
                List.of(question(
                        call,
                        Relation.CAN_READ_DATA,
                        AccessObject.project(call.project().orElseThrow())));
            case NONE, ESTATE, WAREHOUSE, TRANSACTION -> List.of();
        };
    }

    /** What a refusal says: of a drop that skips what is absent it must not tell which of both was asked for. */
    Question told(DoorCall call, Question denied) {
        return call.door().asks() == Asked.TARGET && skipsAbsent(call)
                ? question(call, call.door().relation(), AccessObject.namespace(call.targetObject()))
                : denied;
    }

    /** Whether the caller may read what an object lies in. */
    private List<Question> reading(DoorCall call, ObjectId id) {
        return ancestry.parent(id).map(parent -> question(call, Relation.CAN_READ_DATA, parent)).stream()
                .toList();
    }

    boolean isAbsent(DoorCall call) {
        return switch (call.door().target()) {
            case NAMESPACE -> !existence.namespace(call.targetObject());
            case TABLE, MATERIALIZED_VIEW -> !existence.table(call.targetObject());
            case PROJECT -> projects.find(call.project().orElseThrow()).isEmpty();
            case ROLE -> roles.find(call.targetRole()).isEmpty();
            case NONE ->
                database(call).isPresent()
                        && !existence.namespace(call.context().scope().namespace());
            case ESTATE, WAREHOUSE, TRANSACTION -> false;
        };
    }
}
