package io.rask.catalog.table;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ListFilter;
import io.rask.catalog.access.Relation;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table that the catalog holds, and where it lives.
 *
 * @param home the warehouse's storage
 * @param relativeLocation its place below the root of the warehouse
 * @param marked its properties, and what overwrites have noted beside them
 */
public record PlacedTable(ObjectId id, StorageProfile home, String relativeLocation, MarkedProperties marked) {

    /** The table of a row, as the row has it: without a look at what overwrites have done. */
    static PlacedTable of(ObjectId id, StorageProfile home, ManifestEntry entry) {
        String location = entry.location();
        if (location == null) {
            throw new IllegalStateException("the catalog holds the table " + id + " without a location");
        }
        return new PlacedTable(id, home, location, MarkedProperties.read(entry.metadata()));
    }

    /** The same table with other properties. */
    PlacedTable with(MarkedProperties other) {
        return new PlacedTable(id, home, relativeLocation, other);
    }

    public Map<String, String> properties() {
        return marked.properties();
    }

    /** Whether the table is that of a materialized view. */
    public boolean isView() {
        return properties().containsKey(ViewKeys.KIND);
    }

    /**
     * Refuses what changes the rows or columns of a view: its next refresh would undo it.
     *
     * @throws CatalogException code 19 when the table is that of a materialized view
     */
    public void requireNoView() {
        if (isView()) {
            throw CatalogException.of(
                            ErrorCode.INVALID_TABLE_STATE,
                            "The table '" + id
                                    + "' is a materialized view, whose rows and columns only its refresh changes.")
                    .about(Absence.resource("materialized_view", id));
        }
    }

    /** How tables in lists are seen. */
    static ListFilter.Look<PlacedTable> look(Function<PlacedTable, String> token) {
        return new ListFilter.Look<>(
                Relation.CAN_GET_METADATA,
                table -> AccessObject.table(table.id()),
                table -> Optional.of(AccessObject.namespace(table.id().parent())),
                token);
    }

    /** The table as the catalog's own check of deletions takes it. */
    public ManifestEntry entry() {
        return ManifestEntry.table(id.stored(), relativeLocation, marked.write());
    }

    /** The place for the native layer. */
    public TableLocation location() {
        return new TableLocation(home.root().resolve(relativeLocation), home.serverOptions());
    }

    /** The place as clients see it: a URI. */
    public String uri() {
        return home.place().external() + "/" + relativeLocation;
    }

    /** What a client may be given to reach the table; nothing when it did not want to be told. */
    public @Nullable Map<String, String> clientOptions(@Nullable Boolean wanted) {
        return Boolean.FALSE.equals(wanted) ? null : home.clientOptions().orElse(null);
    }
}
