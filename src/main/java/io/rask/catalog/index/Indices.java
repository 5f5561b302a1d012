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
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The indices of tables that the catalog holds. */
@Component
final class Indices {
    private static final String MADE = "SUCCEEDED";

    /** Kinds that LanceDB's clients cannot read; one of them and they read none of the others. */
    private static final Set<String> UNKNOWN_TO_LANCEDB = Set.of("NGRAM", "ZONEMAP", "BLOOM_FILTER");

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
            ObjectId id, @Nullable String branch, @Nullable Long version, PageRequest page, boolean lanceDb) {
        PlacedTable table = tables.require(id);
        TableVersion wanted = new TableVersion(branch, version);
        PageRequest.Page<TableIndex> cut = page.cut(inspector.list(table.location(), wanted), TableIndex::name);
        return new ListIndicesResponse(
                cut.items().stream()
                        .map(index -> content(table, wanted, index, lanceDb))
                        .toList(),
                cut.next());
    }

    private IndexContent content(PlacedTable table, TableVersion version, TableIndex index, boolean lanceDb) {
        Instant created = index.createdAt();
        return new IndexContent(
                index.name(),
                index.segments().getFirst().uuid(),
                index.columns(),
                MADE,
                kind(index, lanceDb),
                index.typeUrl(),
                index.indexedRows(),
                index.unindexedRows(),
                sizes.bytes(table, version.branch(), index).orElse(null),
                index.segments().size(),
                created == null ? null : created.toString(),
                index.version(),
                index.details());
    }

    private static String kind(TableIndex index, boolean lanceDb) {
        return lanceDb && UNKNOWN_TO_LANCEDB.contains(index.kind()) ? "Unknown" : index.kind();
    }

    IndexStatsResponse stats(
            ObjectId id, @Nullable String branch, @Nullable Long version, String name, boolean lanceDb) {
        TableIndex index = inspector.require(tables.require(id).location(), new TableVersion(branch, version), name);
        return new IndexStatsResponse(
                index.metric(),
                kind(index, lanceDb),
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
