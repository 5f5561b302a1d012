package io.rask.catalog.door;

import io.rask.catalog.access.Relation;
import io.rask.catalog.lance.UnfinishedChanges;
import java.util.EnumSet;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Lets nobody change a table before changes of several tables, of which it is one, are at their end. */
@Component
final class UnfinishedGuard implements Guard {
    private static final Set<Relation> READING = EnumSet.of(
            Relation.CAN_GET_METADATA,
            Relation.CAN_READ_DATA,
            Relation.CAN_READ,
            Relation.CAN_DESCRIBE,
            Relation.CAN_READ_ASSIGNMENTS,
            Relation.CAN_OBSERVE_EVENTS);

    private final ObjectProvider<UnfinishedChanges> unfinished;

    UnfinishedGuard(ObjectProvider<UnfinishedChanges> unfinished) {
        this.unfinished = unfinished;
    }

    @Override
    public Step step() {
        return Step.CONFLICT;
    }

    @Override
    public void check(DoorCall call) {
        if (call.door().target() == Target.TABLE
                && !READING.contains(call.door().relation())) {
            String id = call.targetObject().stored();
            unfinished.ifAvailable(open -> open.settle(id));
        }
    }
}
