package io.rask.catalog.hierarchy;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.Resource;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;

/** How the catalog says that something is not there: one code and one wording for each kind, wherever it is noticed. */
public final class Absence {
    private Absence() {}

    /** Code 1. */
    public static CatalogException namespace(ObjectId id) {
        return of(ErrorCode.NAMESPACE_NOT_FOUND, "namespace", id);
    }

    /** Code 4. */
    public static CatalogException table(ObjectId id) {
        return of(ErrorCode.TABLE_NOT_FOUND, "table", id);
    }

    /** Code 4. */
    public static CatalogException view(ObjectId id) {
        return CatalogException.of(ErrorCode.TABLE_NOT_FOUND, "There is no materialized view '" + id + "'.")
                .about(resource("materialized_view", id));
    }

    /** Code 10. */
    public static CatalogException transaction(ObjectId id) {
        return of(ErrorCode.TRANSACTION_NOT_FOUND, "transaction", id);
    }

    /** Code 4, for lack of a better one in the specification. */
    public static CatalogException project(String id) {
        return container("project", id, "POST /v1/projects makes one.");
    }

    /** Code 4, for lack of a better one in the specification. */
    public static CatalogException warehouse(String id) {
        return container("warehouse", id, "POST /v1/warehouses makes one.");
    }

    /** Code 4, for lack of a better one in the specification. */
    public static CatalogException role(RoleName role) {
        return container("role", role.toString(), "POST /v1/projects/" + role.project() + "/roles makes one.");
    }

    /** An object as problems name it. */
    public static Resource resource(String kind, ObjectId id) {
        return id.isRoot()
                ? new Resource(kind, id.toString(), List.of())
                : new Resource(kind, id.name(), id.parent().segments());
    }

    private static CatalogException of(ErrorCode code, String kind, ObjectId id) {
        return CatalogException.of(code, "There is no " + kind + " '" + id + "'.")
                .about(resource(kind, id));
    }

    private static CatalogException container(String kind, String id, String remedy) {
        return CatalogException.of(ErrorCode.TABLE_NOT_FOUND, "There is no " + kind + " '" + id + "'; " + remedy)
                .about(new Resource(kind, id, List.of()));
    }
}
