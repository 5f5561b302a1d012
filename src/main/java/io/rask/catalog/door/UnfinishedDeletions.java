package io.rask.catalog.door;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Deletions of projects and warehouses that have taken the rights on them back and are not at their end. Nobody holds a right any more
 * that would let him repeat them, so whoever began one may end it, and so may who administers the estate.
 */
@Component
final class UnfinishedDeletions {
    private final ProjectRegistry projects;
    private final WarehouseRegistry warehouses;

    UnfinishedDeletions(ProjectRegistry projects, WarehouseRegistry warehouses) {
        this.projects = projects;
        this.warehouses = warehouses;
    }

    /** What a repeat of such a deletion must be allowed; empty for every other request. */
    Optional<List<Question>> questions(DoorCall call) {
        Door door = call.door();
        if (door.relation() != Relation.CAN_ADMINISTER || !door.refusesProtected()) {
            return Optional.empty();
        }
        return endedBy(call)
                .map(by -> by.equals(call.principal().subject())
                        ? List.of()
                        : List.of(new Question(call.principal(), Relation.CAN_ADMINISTER, AccessObject.ESTATE)));
    }

    /** What a repeat by who began such a deletion is about; nobody is asked for it. Empty for every other request. */
    Optional<Question> resumed(DoorCall call) {
        return questions(call).filter(List::isEmpty).map(nobody -> {
            AccessObject object = call.door().target() == Target.PROJECT
                    ? AccessObject.project(call.project().orElseThrow())
                    : AccessObject.warehouse(call.warehouse().orElseThrow());
            return new Question(call.principal(), call.door().relation(), object);
        });
    }

    private Optional<String> endedBy(DoorCall call) {
        return switch (call.door().target()) {
            case PROJECT -> projects.endedBy(call.project().orElseThrow());
            case WAREHOUSE -> warehouses.endedBy(call.warehouse().orElseThrow());
            case NONE, ESTATE, ROLE, NAMESPACE, TABLE, MATERIALIZED_VIEW, TRANSACTION -> Optional.empty();
        };
    }
}
