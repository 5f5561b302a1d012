package io.rask.catalog.namespace;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.Resource;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;

/** The failures of namespace operations; one wording each. */
final class NamespaceErrors {
    private NamespaceErrors() {}

    static CatalogException absent(ObjectId id) {
        return CatalogException.of(ErrorCode.NAMESPACE_NOT_FOUND, "There is no namespace '" + id + "'.")
                .about(resource(id));
    }

    static CatalogException exists(ObjectId id) {
        return CatalogException.of(
                        ErrorCode.NAMESPACE_ALREADY_EXISTS,
                        "The name '" + id + "' already exists; choose another, or use mode exist_ok.")
                .about(resource(id));
    }

    static Resource resource(ObjectId id) {
        return new Resource(
                "namespace",
                id.isRoot() ? id.toString() : id.name(),
                id.isRoot() ? List.of() : id.parent().segments());
    }
}
