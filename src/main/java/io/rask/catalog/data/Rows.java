package io.rask.catalog.data;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.EditResult;
import io.rask.catalog.lance.TableEditor;
import io.rask.catalog.lance.TableWriter;
import io.rask.catalog.lance.WriteResult;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.DeleteRequest;
import io.rask.catalog.wire.DeleteResponse;
import io.rask.catalog.wire.InsertMode;
import io.rask.catalog.wire.InsertQuery;
import io.rask.catalog.wire.InsertResponse;
import io.rask.catalog.wire.UpdateRequest;
import io.rask.catalog.wire.UpdateResponse;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Writes the rows of tables that the catalog holds. A write into a table that is dropped meanwhile leaves nothing. */
@Component
final class Rows {
    private final Tables tables;
    private final TableWriter writer;
    private final TableEditor editor;

    Rows(Tables tables, TableWriter writer, TableEditor editor) {
        this.tables = tables;
        this.writer = writer;
        this.editor = editor;
    }

    InsertResponse insert(ObjectId id, InsertQuery query, InputStream body) {
        PlacedTable table = tables.requireWritable(id);
        io.rask.catalog.lance.InsertMode mode = query.mode() == InsertMode.OVERWRITE
                ? io.rask.catalog.lance.InsertMode.OVERWRITE
                : io.rask.catalog.lance.InsertMode.APPEND;
        WriteResult written = writer.insert(table.location(), query.branch(), mode, body);
        tables.requireStill(table);
        return new InsertResponse(written.rows(), written.version());
    }

    UpdateResponse update(ObjectId id, UpdateRequest body, @Nullable String branch) {
        PlacedTable table = tables.requireWritable(id);
        EditResult done = editor.update(table.location(), branch, body.predicate(), Assignments.of(body.updates()));
        tables.requireStill(table);
        return new UpdateResponse(done.rows(), done.rows(), done.version());
    }

    DeleteResponse delete(ObjectId id, DeleteRequest body, @Nullable String branch) {
        String predicate = body.predicate();
        if (predicate == null || predicate.isBlank()) {
            throw CatalogException.invalid(
                    "The predicate says which rows to delete; to delete all, say true.",
                    List.of(new FieldViolation("predicate", "must be present")));
        }
        PlacedTable table = tables.requireWritable(id);
        EditResult done = editor.delete(table.location(), branch, predicate);
        tables.requireStill(table);
        return new DeleteResponse(done.version(), done.rows());
    }
}
