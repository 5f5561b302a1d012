package io.rask.catalog.view;

import io.rask.catalog.door.DoorCall;
import io.rask.catalog.door.Guard;
import io.rask.catalog.door.Relation;
import io.rask.catalog.door.Step;
import io.rask.catalog.door.Target;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.RegisterMode;
import io.rask.catalog.wire.RegisterTableRequest;
import java.util.EnumSet;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Keeps clients from changing the rows and columns of a view: the next refresh would undo it. */
@Component
final class ViewGuard implements Guard {
    private static final Set<Relation> WRITING =
            EnumSet.of(Relation.CAN_WRITE_DATA, Relation.CAN_RESTORE, Relation.CAN_UPDATE_PROPERTIES);

    private final Tables tables;

    ViewGuard(Tables tables) {
        this.tables = tables;
    }

    @Override
    public Step step() {
        return Step.CONFLICT;
    }

    @Override
    public void check(DoorCall call) {
        boolean writes = call.door().target() == Target.TABLE
                && (WRITING.contains(call.door().relation()) && !call.door().onView() || replaces(call));
        if (writes) {
            tables.find(call.targetObject()).ifPresent(PlacedTable::requireNoView);
        }
    }

    /** Whether the request makes a table in place of one that is there. */
    private static boolean replaces(DoorCall call) {
        boolean asked = call.context()
                .query("mode")
                .map(mode -> mode.replace("\"", "").equalsIgnoreCase("overwrite"))
                .orElse(false);
        return call.door().mints()
                && (asked
                        || call.body()
                                .filter(body -> body instanceof RegisterTableRequest register
                                        && register.mode() == RegisterMode.OVERWRITE)
                                .isPresent());
    }
}
