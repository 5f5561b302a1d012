package io.rask.catalog.table;

import io.rask.catalog.lance.ManifestEntry;
import org.jspecify.annotations.Nullable;

/**
 * A row of a catalog manifest that is to come or to go together with other changes, in a form that outlives the server.
 *
 * @param kind whether it comes or goes
 * @param root of the warehouse, as a URI
 * @param table the stored id
 * @param location of the table below the root
 * @param metadata the properties as JSON text, as stored; null for none
 */
public record RowStep(
        Kind kind,
        String root,
        String table,
        String location,
        @Nullable String metadata) {

    /** What becomes of the row. */
    public enum Kind {
        DECLARE,
        DEREGISTER
    }

    ManifestEntry entry() {
        return ManifestEntry.table(table, location, metadata);
    }

    boolean comes() {
        return kind == Kind.DECLARE;
    }
}
