package io.rask.catalog.data;

import io.rask.catalog.door.ArrowBody;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.Relation;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.TableWriter;
import io.rask.catalog.lance.WriteResult;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.InsertMode;
import io.rask.catalog.wire.InsertQuery;
import io.rask.catalog.wire.InsertResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors through which rows come and go. */
@RestController
class DataController {
    private final Tables tables;
    private final TableWriter writer;

    DataController(Tables tables, TableWriter writer) {
        this.tables = tables;
        this.writer = writer;
    }

    @PostMapping("/v1/table/{id}/insert")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE)
    InsertResponse insert(ObjectId id, @Query InsertQuery query, ArrowBody body) {
        PlacedTable table = tables.require(id);
        io.rask.catalog.lance.InsertMode mode = query.mode() == InsertMode.OVERWRITE
                ? io.rask.catalog.lance.InsertMode.OVERWRITE
                : io.rask.catalog.lance.InsertMode.APPEND;
        WriteResult written = writer.insert(table.location(), query.branch(), mode, body.stream());
        tables.requireStill(table);
        return new InsertResponse(written.rows(), written.version());
    }
}
