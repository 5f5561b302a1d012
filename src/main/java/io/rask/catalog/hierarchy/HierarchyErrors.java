package io.rask.catalog.hierarchy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;

/** The failures that more than one registry answers with; one wording each. */
final class HierarchyErrors {
    private HierarchyErrors() {}

    static CatalogException beingDeleted(String kind, String id) {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION, "The " + kind + " '" + id + "' is being deleted; try again later.");
    }

    /** A top-level namespace whose unbinding has begun. */
    static CatalogException beingUnbound(String namespace) {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "The namespace '" + namespace + "' is being unbound; try again in a moment, or repeat the unbinding.");
    }

    /** A deletion that is past the point from which nothing leads back. */
    static CatalogException pastReturn(String warehouse) {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "The deletion of the warehouse '" + warehouse
                        + "' has taken the rights on it back, so it cannot be given up;"
                        + " repeat it, without purge_bucket where something stands against that.");
    }

    /** Another request has taken the mark back that it is being deleted. */
    static CatalogException givenUp(String kind, String id) {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "The deletion of the " + kind + " '" + id + "' was given up meanwhile; it is in use.");
    }

    static CatalogException isProtected(String kind, String id) {
        return CatalogException.of(
                ErrorCode.NAMESPACE_NOT_EMPTY,
                "The " + kind + " '" + id + "' is protected against deletion; force=true lifts the protection.");
    }

    /** A refusal that names what is inside, a few at most. */
    static CatalogException holds(String kind, String id, String inside, List<String> names) {
        String some = String.join(", ", names.subList(0, Math.min(names.size(), 5)));
        return CatalogException.of(
                ErrorCode.NAMESPACE_NOT_EMPTY,
                "The " + kind + " '" + id + "' still holds " + inside + ": " + some + (names.size() > 5 ? ", …" : "")
                        + ". Remove them first.");
    }

    static CatalogException deactivated(String warehouse) {
        return CatalogException.of(
                ErrorCode.PERMISSION_DENIED,
                "The warehouse '" + warehouse + "' is deactivated; nothing below it is served until it is activated.");
    }
}
