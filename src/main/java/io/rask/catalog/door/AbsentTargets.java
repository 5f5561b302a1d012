package io.rask.catalog.door;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.RoleRegistry;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Of what a request names: what is not there, and who may learn that instead of being denied. */
@Component
final class AbsentTargets {
    private final Ancestry ancestry;
    private final Existence existence;
    private final ProjectRegistry projects;
    private final RoleRegistry roles;

    AbsentTargets(Ancestry ancestry, Existence existence, ProjectRegistry projects, RoleRegistry roles) {
        this.ancestry = ancestry;
        this.existence = existence;
        this.projects = projects;
        this.roles = roles;
    }

    /** What a caller must be allowed, each for itself, to learn that something it names is absent. */
    List<Question> revealing(DoorCall call, List<Question> needed) {
        Door door = call.door();
        return switch (door.asks()) {
            case TARGET, GRANT -> door.mints() ? List.of() : revealing(call);
            case BATCH ->
                needed.stream()
                        .flatMap(question -> reading(call, id(question)).stream())
                        .distinct()
                        .toList();
            case EACH_ITEM -> isInDatabase(call) ? reading(call, database(call)) : List.of();
            case NOTHING, JOB -> List.of();
        };
    }

    /** Whether a list is of what is in a database, which may be absent. */
    private static boolean isInDatabase(DoorCall call) {
        return DoorQuestions.database(call).isPresent();
    }

    private static ObjectId database(DoorCall call) {
        return call.context().scope().namespace();
    }

    private List<Question> revealing(DoorCall call) {
        return switch (call.door().target()) {
            case NAMESPACE, TABLE -> reading(call, call.targetObject());
            case MATERIALIZED_VIEW -> {
                // Whoever may see a table may know that it is no view.
                List<Question> seeing = new ArrayList<>(reading(call, call.targetObject()));
                seeing.add(DoorQuestions.question(
                        call, Relation.CAN_GET_METADATA, AccessObject.table(call.targetObject())));
                yield seeing;
            }
            case TRANSACTION ->
                call.targetObject().depth() == 1
                        ? List.of()
                        : reading(call, call.targetObject().parent());
            case PROJECT -> List.of(DoorQuestions.question(call, Relation.CAN_OBSERVE_EVENTS, AccessObject.ESTATE));
            case ROLE ->
                List.of(DoorQuestions.question(
                        call,
                        Relation.CAN_READ_DATA,
                        AccessObject.project(call.project().orElseThrow())));
            case NONE -> isInDatabase(call) ? reading(call, database(call)) : List.of();
            case ESTATE, WAREHOUSE -> List.of();
        };
    }

    /** Whether the caller may read what an object lies in. */
    private List<Question> reading(DoorCall call, ObjectId id) {
        return ancestry.parent(id).map(parent -> DoorQuestions.question(call, Relation.CAN_READ_DATA, parent)).stream()
                .toList();
    }

    private static ObjectId id(Question question) {
        return Delimiter.STORED.split(question.object().id());
    }

    /**
     * Something a request names that is not there.
     *
     * @param id of what has segments; null for others
     * @param revealedBy one of these is enough to be told
     */
    record Absent(@Nullable ObjectId id, CatalogException problem, List<Question> revealedBy) {}

    /** What is absent of that what a denied question was about. */
    Optional<Absent> absence(DoorCall call, Question denied) {
        if (call.door().asks() == Asked.BATCH) {
            ObjectId id = id(denied);
            boolean isTable = denied.object().kind() == AccessObject.Kind.TABLE;
            boolean isThere = isTable ? existence.table(id) : existence.namespace(id);
            return isThere
                    ? Optional.empty()
                    : Optional.of(
                            new Absent(id, isTable ? Absence.table(id) : Absence.namespace(id), reading(call, id)));
        }
        return call.door().mints() || !isAbsent(call)
                ? Optional.empty()
                : Optional.of(new Absent(call.object().orElse(null), call.absent(), revealing(call)));
    }

    /** The nearest that is there, of all that something absent would lie in, where what directly holds it is not. */
    Optional<Question> nearest(DoorCall call, Absent absent) {
        ObjectId id = absent.id();
        if (id == null || id.depth() < 2 || existence.namespace(id.parent())) {
            return Optional.empty();
        }
        ObjectId holder = id.parent();
        while (holder.depth() > 1 && !existence.namespace(holder.parent())) {
            holder = holder.parent();
        }
        return reading(call, holder).stream().findFirst();
    }

    private boolean isAbsent(DoorCall call) {
        return switch (call.door().target()) {
            case NAMESPACE -> !existence.namespace(call.targetObject());
            case TABLE -> !existence.table(call.targetObject());
            case MATERIALIZED_VIEW -> !existence.view(call.targetObject());
            case TRANSACTION ->
                call.targetObject().depth() > 1
                        && !existence.table(call.targetObject().parent());
            case PROJECT -> projects.find(call.project().orElseThrow()).isEmpty();
            case ROLE -> roles.find(call.targetRole()).isEmpty();
            case NONE -> isInDatabase(call) && !existence.namespace(database(call));
            case ESTATE, WAREHOUSE -> false;
        };
    }
}
