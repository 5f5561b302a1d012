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
 * @param by who takes the table out, as identity named them; null for one that comes, and in older records
 * @param forced whether a protection does not stand against it; null in older records, which did not ask again
 * @param mark what the mark is known by that this step leaves at the bytes of a table that goes; null for one that comes, and in older
 *     records
 */
public record RowStep(
        Kind kind,
        String root,
        String table,
        String location,
        @Nullable String metadata,
        @Nullable String by,
        @Nullable Boolean forced,
        @Nullable String mark) {

    /** What becomes of the row. */
    public enum Kind {
        DECLARE,
        DEREGISTER
    }

    ManifestEntry entry() {
        return ManifestEntry.table(table, location, metadata);
    }

    /** Whether a protection that comes in between stands against it. */
    boolean yields() {
        return !comes() && Boolean.FALSE.equals(forced);
    }

    /** Whether a row is that of the table itself and not of another of its name. */
    boolean isAbout(ManifestEntry row) {
        return location.equals(row.location());
    }

    boolean comes() {
        return kind == Kind.DECLARE;
    }
}
