package io.rask.catalog.index;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.IndexInspector;
import io.rask.catalog.lance.IndexRemoval;
import io.rask.catalog.lance.TableIndex;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.DropIndexResponse;
import io.rask.catalog.wire.IndexContent;
import io.rask.catalog.wire.IndexStatsResponse;
import io.rask.catalog.wire.ListIndicesResponse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The indices of tables that the catalog holds. */
@Component
final class Indices {
    private static final String MADE = "SUCCEEDED";

    private final Tables tables;
    private final IndexInspector inspector;
    private final IndexRemoval removal;
    private final IndexSizes sizes;

    Indices(Tables tables, IndexInspector inspector, IndexRemoval removal, IndexSizes sizes) {
        this.tables = tables;
        this.inspector = inspector;
        this.removal = removal;
        this.sizes = sizes;
    }

    ListIndicesResponse list(
            ObjectId id, @Nullable String branch, @Nullable Long version, PageRequest page, ToldTypes told) {
        PlacedTable table = tables.require(id);
        TableVersion wanted = new TableVersion(branch, version);
        List<TableIndex> present = inspector.list(table.location(), wanted).stream()
                .filter(index -> told.tells(index.kind()))
                .toList();
        PageRequest.Page<TableIndex> cut = page.cut(present, TableIndex::name);
        return new ListIndicesResponse(
                cut.items().stream()
                        .map(index -> content(table, wanted, index, told))
                        .toList(),
                cut.next());
    }

    private IndexContent content(PlacedTable table, TableVersion version, TableIndex index, ToldTypes told) {
        Instant created = index.createdAt();
        return new IndexContent(
                index.name(),
                index.segments().getFirst().uuid(),
                index.columns(),
                MADE,
                told.name(index.kind()),
                index.typeUrl(),
                index.indexedRows(),
                index.unindexedRows(),
                sizes.bytes(table, version.branch(), index).orElse(null),
                index.segments().size(),
                created == null ? null : created.toString(),
                index.version(),
                index.details());
    }

    /** Code 6 unless the branch has an index of that name. */
    void require(ObjectId id, @Nullable String branch, String name) {
        inspector.require(tables.require(id).location(), new TableVersion(branch, null), name);
    }

    IndexStatsResponse stats(
            ObjectId id, @Nullable String branch, @Nullable Long version, String name, ToldTypes told) {
        TableIndex index = inspector.require(tables.require(id).location(), new TableVersion(branch, version), name);
        return new IndexStatsResponse(
                index.metric(),
                told.name(index.kind()),
                index.indexedRows(),
                index.unindexedRows(),
                index.segments().size());
    }

    DropIndexResponse drop(ObjectId id, @Nullable String branch, String name) {
        PlacedTable table = tables.require(id);
        String transaction = removal.remove(table.location(), branch, name);
        tables.requireStill(table);
        return new DropIndexResponse(transaction);
    }
}
