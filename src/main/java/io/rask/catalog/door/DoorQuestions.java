package io.rask.catalog.door;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Rung;
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
    private final JobRights jobs;
    private final UnfinishedDeletions deletions;
    private final CatalogProperties properties;

    DoorQuestions(
            Ancestry ancestry,
            Existence existence,
            JobRights jobs,
            UnfinishedDeletions deletions,
            CatalogProperties properties) {
        this.ancestry = ancestry;
        this.existence = existence;
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

    /**
     * What a repeat that is answered as before must be allowed: the same, but that a drop which skips what is absent is asked of what it
     * names, whether that is there or went by the very drop.
     */
    List<Question> ofRepeat(DoorCall call) {
        return call.door().asks() == Asked.TARGET && skipsAbsent(call)
                ? asked(call).map(object -> question(call, call.door().relation(), object)).stream()
                        .toList()
                : of(call);
    }

    /** A list of what is in a database shows whoever does not see the database nothing, not even that there is one. */
    static Optional<AccessObject> database(DoorCall call) {
        return call.door().target() == Target.NONE
                ? namespace(call.context().scope().namespace())
                : Optional.empty();
    }

    private List<Question> target(DoorCall call) {
        Door door = call.door();
        List<Question> questions = new ArrayList<>();
        if (door.target() == Target.TRANSACTION) {
            questions.addAll(TransactionQuestions.of(call));
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

    /** Each rung has a right of its own to give it, and where that decides, to take it back. */
    private List<Question> grant(DoorCall call) {
        Optional<AccessObject> object = asked(call);
        if (object.isEmpty()) {
            return List.of();
        }
        String named = call.body()
                .filter(GivesRung.class::isInstance)
                .map(body -> ((GivesRung) body).rung())
                .or(() -> call.context().query("rung"))
                .orElseThrow();
        Rung rung = Rung.of(object.get().kind(), named);
        return List.of(question(call, rung.givenBy(), object.get()));
    }

    static Question question(DoorCall call, Relation relation, AccessObject object) {
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

    /** What a refusal says: of a drop that skips what is absent it must not tell which of both was asked for. */
    Question told(DoorCall call, Question denied) {
        return call.door().asks() == Asked.TARGET && skipsAbsent(call)
                ? question(call, call.door().relation(), AccessObject.namespace(call.targetObject()))
                : denied;
    }
}
