package io.rask.catalog.namespace;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;

/** The failures of namespace operations; one wording each. */
final class NamespaceErrors {
    private NamespaceErrors() {}

    static CatalogException exists(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.NAMESPACE_ALREADY_EXISTS,
                        "The name '" + id + "' already exists; choose another, or use mode exist_ok.")
                .about(Absence.resource("namespace", id));
    }

    /** Somebody made it while this request was on its way, and nobody asked whether it may be touched. */
    static CatalogException appeared(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "The namespace '" + id + "' was made by another request at the same time; try again.")
                .about(Absence.resource("namespace", id));
    }
}
