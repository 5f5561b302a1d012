package io.rask.catalog.table;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;

/** The failures of table operations; one wording each. */
final class TableErrors {
    private TableErrors() {}

    static CatalogException exists(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.TABLE_ALREADY_EXISTS,
                        "The name '" + id + "' already exists; choose another, or use mode exist_ok or overwrite.")
                .about(Absence.resource("table", id));
    }

    /** The name a table was to get is another object's. */
    static CatalogException taken(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.TABLE_ALREADY_EXISTS, "The name '" + id + "' already exists; choose another.")
                .about(Absence.resource("table", id));
    }

    /** A place that was named for a table is another table's. */
    static CatalogException locationTaken(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.TABLE_ALREADY_EXISTS,
                        "The location is that of another table, lies in one or holds one; a location belongs to one table.")
                .about(Absence.resource("table", id));
    }

    /** Another writer dropped or replaced the table while this one was at work. */
    static CatalogException changed(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "The table '" + id + "' was changed by another writer at the same time; try again.")
                .about(Absence.resource("table", id));
    }
}
