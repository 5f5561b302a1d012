package io.rask.catalog.door;

import io.rask.catalog.access.Principal;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import java.util.Optional;

/**
 * One request at its door.
 *
 * @param door what the handler declares
 * @param object the namespace, table, view or transaction the request names
 * @param destination what the body wants the object to be called
 * @param project the project the request names
 * @param warehouse the warehouse the request names
 * @param role the role of the project the request names
 * @param body the parsed JSON body, absent on routes that take Arrow
 */
public record DoorCall(
        Door door,
        Optional<ObjectId> object,
        Optional<ObjectId> destination,
        Optional<String> project,
        Optional<String> warehouse,
        Optional<String> role,
        Optional<Object> body,
        RequestContext context) {

    public Principal principal() {
        return context.principal();
    }

    /** The id of the target on a route that names one by segments. */
    public ObjectId targetObject() {
        return object.orElseThrow(() -> new IllegalStateException("The route names no object."));
    }

    /** The role on a route that names one. */
    public RoleName targetRole() {
        return new RoleName(project.orElseThrow(), role.orElseThrow());
    }

    /** The id that the object of a moving route is to get. */
    public ObjectId destinationObject() {
        return destination.orElseThrow(() -> new IllegalStateException("The route moves nothing."));
    }

    /** What this door answers when its target is absent; a denial at a destructive door is the very same. */
    public CatalogException absent() {
        if (door.askedOnParent() && door.parent() == Target.WAREHOUSE) {
            // The right is one on the warehouse, so nobody else learns whether there is one.
            return Absence.warehouse(warehouse.orElseThrow());
        }
        return switch (door.target()) {
            case NAMESPACE -> Absence.namespace(targetObject());
            case TABLE -> Absence.table(targetObject());
            case MATERIALIZED_VIEW -> Absence.view(targetObject());
            case TRANSACTION -> Absence.transaction(targetObject());
            case PROJECT -> Absence.project(project.orElseThrow());
            case ROLE -> Absence.role(targetRole());
            case WAREHOUSE -> Absence.warehouse(warehouse.orElseThrow());
            case NONE -> Absence.namespace(context.scope().namespace());
            case ESTATE -> throw new IllegalStateException("The route has no target that could be absent.");
        };
    }
}
