package io.rask.catalog.index;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.IndexInspector;
import io.rask.catalog.lance.IndexRemoval;
import io.rask.catalog.lance.TableIndex;
import io.rask.catalog.lance.TableVersion;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
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
    private final LostIndexBuilds lost;

    Indices(Tables tables, IndexInspector inspector, IndexRemoval removal, IndexSizes sizes, LostIndexBuilds lost) {
        this.tables = tables;
        this.inspector = inspector;
        this.removal = removal;
        this.sizes = sizes;
        this.lost = lost;
    }

    ListIndicesResponse list(
            ObjectId id, @Nullable String branch, @Nullable Long version, PageRequest page, ToldTypes told) {
        PlacedTable table = tables.require(id);
        TableVersion wanted = new TableVersion(branch, version);
        List<TableIndex> present = inspector.list(table.location(), wanted).stream()
                .filter(index -> told.tells(index.kind()))
                .toList();
        PageRequest.Page<TableIndex> cut = page.cut(present, TableIndex::name);
        List<ListIndicesResponse.Lost> gone =
                version == null && page.after() == null ? lost(table, branch, told) : List.of();
        return new ListIndicesResponse(
                cut.items().stream()
                        .map(index -> content(table, wanted, index, told))
                        .toList(),
                cut.next(),
                gone.isEmpty() ? null : gone);
    }

    private List<ListIndicesResponse.Lost> lost(PlacedTable table, @Nullable String branch, ToldTypes told) {
        return lost.of(table, branch).stream()
                .filter(rebuild -> told.tells(rebuild.index().kind()))
                .map(rebuild -> new ListIndicesResponse.Lost(
                        rebuild.index().name(),
                        List.of(rebuild.index().column()),
                        told.name(rebuild.index().kind()),
                        rebuild.reason() == null ? "REBUILDING" : "FAILED",
                        rebuild.job(),
                        rebuild.reason()))
                .toList();
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
        require(tables.require(id), branch, null, name);
    }

    private TableIndex require(PlacedTable table, @Nullable String branch, @Nullable Long version, String name) {
        return inspector
                .find(table.location(), new TableVersion(branch, version), name)
                .orElseThrow(() -> absent(table, branch, version, name));
    }

    IndexStatsResponse stats(
            ObjectId id, @Nullable String branch, @Nullable Long version, String name, ToldTypes told) {
        TableIndex index = require(tables.require(id), branch, version, name);
        return new IndexStatsResponse(
                index.metric(),
                told.name(index.kind()),
                index.indexedRows(),
                index.unindexedRows(),
                index.segments().size());
    }

    /** Code 6; of an index that went with the old values of its column, it says what becomes of it. */
    private CatalogException absent(PlacedTable table, @Nullable String branch, @Nullable Long version, String name) {
        if (version == null) {
            for (LostIndexBuilds.Rebuild rebuild : lost.of(table, branch)) {
                if (rebuild.index().name().equals(name)) {
                    return CatalogException.of(
                            ErrorCode.TABLE_INDEX_NOT_FOUND,
                            "The index '" + name + "' went when its column got another type, and "
                                    + (rebuild.reason() == null
                                            ? "is being made anew."
                                            : "cannot be made anew: " + rebuild.reason()));
                }
            }
        }
        return IndexInspector.absent(name);
    }

    /** An index that was lost and is not there again is wanted no more. */
    DropIndexResponse drop(ObjectId id, @Nullable String branch, String name) {
        PlacedTable table = tables.require(id);
        boolean forgotten = lost.forget(table.location(), branch, name);
        String transaction = null;
        if (!forgotten || isThere(table, branch, name)) {
            transaction = removal.remove(table.location(), branch, name);
        }
        tables.requireStill(table);
        return new DropIndexResponse(transaction);
    }

    private boolean isThere(PlacedTable table, @Nullable String branch, String name) {
        return inspector
                .find(table.location(), new TableVersion(branch, null), name)
                .isPresent();
    }
}
