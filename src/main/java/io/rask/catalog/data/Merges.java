package io.rask.catalog.data;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.MergeResult;
import io.rask.catalog.lance.RowMerge;
import io.rask.catalog.lance.TableMerger;
import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.MergeQuery;
import io.rask.catalog.wire.MergeResponse;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Merges rows into tables that the catalog holds. */
@Component
final class Merges {
    private final Tables tables;
    private final TableMerger merger;

    Merges(Tables tables, TableMerger merger) {
        this.tables = tables;
        this.merger = merger;
    }

    MergeResponse merge(ObjectId id, MergeQuery query, InputStream body) {
        RowMerge merge = merge(query);
        if (query.timeout() != null && !query.timeout().isBlank()) {
            Duration timeout = Durations.parse("timeout", query.timeout());
            RequestBound.enter(RequestBound.current().within(timeout));
        }
        PlacedTable table = tables.requireWritable(id);
        MergeResult done = merger.merge(table.location(), query.branch(), merge, body);
        tables.requireStill(table);
        return new MergeResponse(
                done.updatedRows(),
                done.insertedRows(),
                done.deletedRows(),
                done.version(),
                done.attempts(),
                done.sourceRows());
    }

    /** A condition says that the step it belongs to is wanted, whether or not the step is named too. */
    private static RowMerge merge(MergeQuery query) {
        String updateFilter = presentText(query.whenMatchedUpdateAllFilt());
        String deleteFilter = presentText(query.whenNotMatchedBySourceDeleteFilt());
        RowMerge merge = new RowMerge(
                on(query),
                updateFilter != null || Boolean.TRUE.equals(query.whenMatchedUpdateAll()),
                updateFilter,
                Boolean.TRUE.equals(query.whenNotMatchedInsertAll()),
                deleteFilter != null || Boolean.TRUE.equals(query.whenNotMatchedBySourceDelete()),
                deleteFilter,
                !Boolean.FALSE.equals(query.useIndex()));
        return merge;
    }

    private static List<String> on(MergeQuery query) {
        List<String> on = new ArrayList<>();
        if (query.on() != null) {
            query.on().stream()
                    .filter(key -> key != null && !key.isEmpty())
                    .forEach(key -> on.add(String.valueOf(key)));
        }
        if (on.isEmpty()) {
            throw CatalogException.invalid(
                    "The query parameter on names the column that rows are matched by; for several columns, repeat it.",
                    List.of(new FieldViolation("on", "must be present")));
        }
        return on;
    }

    private static @Nullable String presentText(@Nullable String text) {
        return text == null || text.isBlank() ? null : text;
    }
}
