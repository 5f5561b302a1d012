package io.rask.catalog.door;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.Resource;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request at its door.
 *
 * @param door what the handler declares
 * @param object the namespace, table, view or transaction the request names
 * @param project the project the request names
 * @param warehouse the warehouse the request names
 * @param body the parsed JSON body, absent on routes that take Arrow
 */
public record DoorCall(
        Door door,
        Optional<ObjectId> object,
        Optional<String> project,
        Optional<String> warehouse,
        Optional<Object> body,
        RequestContext context) {

    public Principal principal() {
        return context.principal();
    }

    /** The id of the target on a route that names one by segments. */
    public ObjectId targetObject() {
        return object.orElseThrow(() -> new IllegalStateException("The route names no object."));
    }

    /** What this door answers when its target is absent; a denial at a destructive door is the very same. */
    public CatalogException absent() {
        return switch (door.target()) {
            case NAMESPACE -> absent(ErrorCode.NAMESPACE_NOT_FOUND, targetObject());
            case TABLE, MATERIALIZED_VIEW -> absent(ErrorCode.TABLE_NOT_FOUND, targetObject());
            case TRANSACTION -> absent(ErrorCode.TRANSACTION_NOT_FOUND, targetObject());
            case PROJECT -> absent(project.orElse(null));
            case WAREHOUSE -> absent(warehouse.orElse(null));
            case NONE, ESTATE -> throw new IllegalStateException("The route has no target that could be absent.");
        };
    }

    private CatalogException absent(ErrorCode code, ObjectId id) {
        List<String> above = id.isRoot() ? List.of() : id.parent().segments();
        String name = id.isRoot() ? id.toString() : id.name();
        return CatalogException.of(code, "There is no " + kind() + " '" + id + "'.")
                .about(new Resource(door.target().wireName(), name, above));
    }

    private CatalogException absent(@Nullable String id) {
        // The specification has no code for what stands above a namespace.
        return CatalogException.of(ErrorCode.TABLE_NOT_FOUND, "There is no " + kind() + " '" + id + "'.")
                .about(new Resource(door.target().wireName(), String.valueOf(id), List.of()));
    }

    private String kind() {
        return door.target().wireName().replace('_', ' ');
    }
}
