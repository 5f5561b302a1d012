package io.rask.catalog.data;

import io.rask.catalog.door.ArrowBody;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.Relation;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.EditResult;
import io.rask.catalog.lance.TableEditor;
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.lance.TableWriter;
import io.rask.catalog.lance.WriteResult;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.CountRequest;
import io.rask.catalog.wire.DeleteRequest;
import io.rask.catalog.wire.DeleteResponse;
import io.rask.catalog.wire.InsertMode;
import io.rask.catalog.wire.InsertQuery;
import io.rask.catalog.wire.InsertResponse;
import io.rask.catalog.wire.UpdateRequest;
import io.rask.catalog.wire.UpdateResponse;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** The doors through which rows come and go. */
@RestController
class DataController {
    private final Tables tables;
    private final TableWriter writer;
    private final TableEditor editor;
    private final TableInspector inspector;

    DataController(Tables tables, TableWriter writer, TableEditor editor, TableInspector inspector) {
        this.tables = tables;
        this.writer = writer;
        this.editor = editor;
        this.inspector = inspector;
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

    @RequestMapping(
            path = "/v1/table/{id}/count_rows",
            method = {RequestMethod.GET, RequestMethod.POST})
    @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE)
    ResponseEntity<String> count(ObjectId id, @Body CountRequest body, RequestContext context) {
        PlacedTable table = tables.require(id);
        long rows =
                inspector.count(table.location(), new TableVersion(body.branch(), body.version()), body.predicate());
        return Scalars.number(rows, context);
    }

    @PostMapping("/v1/table/{id}/update")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE)
    UpdateResponse update(ObjectId id, @Body UpdateRequest body) {
        PlacedTable table = tables.require(id);
        EditResult done =
                editor.update(table.location(), body.branch(), body.predicate(), Assignments.of(body.updates()));
        tables.requireStill(table);
        return new UpdateResponse(done.rows(), done.rows(), done.version());
    }

    @PostMapping("/v1/table/{id}/delete")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE)
    DeleteResponse delete(ObjectId id, @Body DeleteRequest body) {
        String predicate = body.predicate();
        if (predicate == null || predicate.isBlank()) {
            throw CatalogException.invalid(
                    "The predicate says which rows to delete; to delete all, say true.",
                    List.of(new FieldViolation("predicate", "must be present")));
        }
        PlacedTable table = tables.require(id);
        EditResult done = editor.delete(table.location(), body.branch(), predicate);
        tables.requireStill(table);
        return new DeleteResponse(done.version(), done.rows());
    }
}
