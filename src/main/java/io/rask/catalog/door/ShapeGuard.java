package io.rask.catalog.door;

import io.rask.catalog.id.NameRules;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Holds the names a request uses against the rules, before anything is looked up. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ShapeGuard implements Guard {

    @Override
    public Step step() {
        return Step.SHAPE;
    }

    @Override
    public void check(DoorCall call) {
        Door door = call.door();
        if (call.warehouse().isPresent() || door.target() == Target.WAREHOUSE) {
            NameRules.container("warehouse", call.warehouse().orElse(null));
        }
        if (call.project().isPresent() || door.target() == Target.PROJECT || door.parent() == Target.PROJECT) {
            NameRules.container("project", call.project().orElse(null));
        }
        if (door.target() == Target.ROLE) {
            NameRules.role(call.role().orElse(null));
        }
        if (door.target().hasSegments()) {
            check(door, call.targetObject());
        }
        // The place an object moves to is one where it is made.
        call.destination().ifPresent(NameRules::newTable);
    }

    private static void check(Door door, ObjectId id) {
        if (id.isRoot() && door.target() != Target.NAMESPACE) {
            throw CatalogException.invalid("The root is a namespace; the id of a "
                    + door.target().wireName().replace('_', ' ') + " has at least one segment.");
        }
        if (!door.mints()) {
            return;
        }
        if (door.target() == Target.NAMESPACE) {
            NameRules.newNamespace(id);
        } else {
            NameRules.newTable(id);
        }
    }
}
