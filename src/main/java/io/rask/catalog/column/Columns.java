package io.rask.catalog.column;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.index.LostIndexBuilds;
import io.rask.catalog.lance.ColumnChange;
import io.rask.catalog.lance.ColumnsResult;
import io.rask.catalog.lance.NewColumn;
import io.rask.catalog.lance.TableColumns;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.AddColumnsRequest;
import io.rask.catalog.wire.AlterColumnsRequest;
import io.rask.catalog.wire.ColumnsResponse;
import io.rask.catalog.wire.DropColumnsRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Adds, changes and drops columns of tables that the catalog holds. */
@Component
final class Columns {
    private final Tables tables;
    private final TableColumns columns;
    private final VirtualColumns virtual;
    private final LostIndexBuilds lost;

    Columns(Tables tables, TableColumns columns, VirtualColumns virtual, LostIndexBuilds lost) {
        this.tables = tables;
        this.columns = columns;
        this.virtual = virtual;
        this.lost = lost;
    }

    ColumnsResponse add(ObjectId id, @Nullable String branch, AddColumnsRequest body) {
        List<NewColumn> added = Entries.required("new_columns", body.newColumns()).stream()
                .map(this::column)
                .toList();
        return done(id, table -> columns.add(table.location(), branch, added));
    }

    private NewColumn column(AddColumnsRequest.Entry entry) {
        String name = Entries.text("new_columns.name", entry.name());
        long given = Stream.of(entry.expression(), entry.computed(), entry.virtualColumn())
                .filter(Objects::nonNull)
                .count();
        if (given != 1) {
            throw CatalogException.invalid(
                    "Column '" + name + "' needs exactly one of expression, computed and virtual_column.");
        }
        if (entry.expression() != null) {
            return new NewColumn.Expression(name, entry.expression());
        }
        return entry.computed() != null
                ? new NewColumn.Computed(name, entry.computed())
                : virtual.column(name, Objects.requireNonNull(entry.virtualColumn()));
    }

    ColumnsResponse alter(ObjectId id, @Nullable String branch, AlterColumnsRequest body) {
        List<ColumnChange> changes = Entries.required("alterations", body.alterations()).stream()
                .map(this::change)
                .toList();
        PlacedTable table = tables.requireWritable(id);
        ColumnsResult done = columns.alter(table.location(), branch, changes);
        tables.requireStill(table);
        boolean casts = changes.stream().anyMatch(change -> change.type() != null);
        List<String> builds = casts ? lost.begin(table, branch) : List.of();
        return new ColumnsResponse(done.version(), done.transaction(), builds.isEmpty() ? null : builds);
    }

    private ColumnChange change(AlterColumnsRequest.Entry entry) {
        String path = Entries.path("alterations", entry.path());
        if (entry.dataType() == null
                && entry.rename() == null
                && entry.nullable() == null
                && entry.virtualColumn() == null) {
            throw CatalogException.invalid("The alteration of '" + path + "' changes nothing.");
        }
        return new ColumnChange(
                path,
                entry.dataType(),
                entry.rename(),
                entry.nullable(),
                entry.virtualColumn() == null ? null : virtual.change(entry.virtualColumn()));
    }

    ColumnsResponse drop(ObjectId id, @Nullable String branch, DropColumnsRequest body) {
        List<String> paths = Entries.required("columns", body.columns()).stream()
                .map(path -> Entries.path("columns", path))
                .toList();
        return done(id, table -> columns.drop(table.location(), branch, paths));
    }

    private ColumnsResponse done(ObjectId id, Function<PlacedTable, ColumnsResult> change) {
        PlacedTable table = tables.requireWritable(id);
        ColumnsResult done = change.apply(table);
        tables.requireStill(table);
        return new ColumnsResponse(done.version(), done.transaction(), null);
    }
}
