package io.rask.catalog.table;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.Resource;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;

/** The failures of table operations; one wording each. */
public final class TableErrors {
    private TableErrors() {}

    public static CatalogException absent(ObjectId id) {
        return CatalogException.of(ErrorCode.TABLE_NOT_FOUND, "There is no table '" + id + "'.")
                .about(resource(id));
    }

    static CatalogException noParent(ObjectId id) {
        ObjectId parent = id.parent();
        return CatalogException.of(ErrorCode.NAMESPACE_NOT_FOUND, "There is no namespace '" + parent + "'.")
                .about(new Resource(
                        "namespace",
                        parent.isRoot() ? parent.toString() : parent.name(),
                        parent.isRoot() ? List.of() : parent.parent().segments()));
    }

    static CatalogException exists(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.TABLE_ALREADY_EXISTS,
                        "The name '" + id + "' already exists; choose another, or use mode exist_ok or overwrite.")
                .about(resource(id));
    }

    /** Another writer dropped or replaced the table while this one was at work. */
    static CatalogException changed(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "The table '" + id + "' was changed by another writer at the same time; try again.")
                .about(resource(id));
    }

    static Resource resource(ObjectId id) {
        return new Resource("table", id.name(), id.parent().segments());
    }
}
