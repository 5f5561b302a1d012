package io.rask.catalog.door;

import io.rask.catalog.access.Relation;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.id.RawId;
import io.rask.catalog.id.RawPath;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.DestinationInBody;
import io.rask.catalog.wire.NamedInBody;
import io.rask.catalog.wire.ObjectBody;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerMapping;

/** Finds out what a request is about: from its raw path, from the path of a collection, or from the body of a creation. */
@Component
final class Targets {
    private static final String ID = "id";
    private static final String TOP_NAMESPACE = "namespace";
    private static final String ROLE = "role";

    private final Delimiter configured;

    Targets(CatalogProperties properties) {
        this.configured = new Delimiter(properties.ns().delimiter());
    }

    DoorCall resolve(Door door, HttpServletRequest request, Optional<Object> body, RequestContext context) {
        Map<String, String> path = pathVariables(request);
        Optional<NamedInBody> creation =
                body.filter(NamedInBody.class::isInstance).map(NamedInBody.class::cast);
        DatabaseScope scope = context.scope();
        Optional<ObjectId> object = object(door, request, scope, body.orElse(null), path, creation);
        return new DoorCall(
                door,
                object,
                body.filter(DestinationInBody.class::isInstance)
                        .filter(move -> ((DestinationInBody) move).moves())
                        .flatMap(move -> object.map(from -> destination((DestinationInBody) move, scope, from))),
                container(door, Target.PROJECT, request, path, creation),
                container(door, Target.WAREHOUSE, request, path, creation),
                role(door, path, creation),
                body,
                context);
    }

    private Optional<ObjectId> object(
            Door door,
            HttpServletRequest request,
            DatabaseScope scope,
            @Nullable Object body,
            Map<String, String> path,
            Optional<NamedInBody> creation) {
        if (!door.target().hasSegments()) {
            return Optional.empty();
        }
        Optional<RawId> raw = RawPath.of(request).objectId();
        if (raw.isPresent()) {
            String asked = request.getParameter("delimiter");
            Delimiter delimiter = asked == null ? configured : new Delimiter(asked);
            ObjectId named =
                    raw.get().resolve(delimiter, asked != null, body instanceof ObjectBody object ? object.id() : null);
            return Optional.of(inScope(door, scope, named));
        }
        String top = path.get(TOP_NAMESPACE);
        if (top != null) {
            return Optional.of(ObjectId.of(top));
        }
        if (creation.isEmpty()) {
            return Optional.empty();
        }
        String name = creation.get().newName();
        if (name == null) {
            throw CatalogException.invalid(
                    "The body does not name what to create.",
                    List.of(new FieldViolation(door.target().wireName(), "must be present")));
        }
        return Optional.of(ObjectId.of(name));
    }

    /** Within a database, its root can be read; it is made and dropped by its own name, as every root stays one for who changes it. */
    private static ObjectId inScope(Door door, DatabaseScope scope, ObjectId named) {
        boolean read = door.target() == Target.NAMESPACE && !door.mints() && door.relation() != Relation.CAN_DELETE;
        return named.isRoot() && !read ? named : scope.absolute(named);
    }

    private static ObjectId destination(DestinationInBody move, DatabaseScope scope, ObjectId from) {
        List<@Nullable String> namespace = move.destinationNamespace();
        ObjectId parent = namespace != null && !namespace.isEmpty()
                ? scope.absolute(ObjectId.ofBody(namespace))
                : from.isRoot() ? from : from.parent();
        String name = move.destinationName();
        return parent.child(name == null && !from.isRoot() ? from.name() : Objects.requireNonNullElse(name, ""));
    }

    private static Optional<String> container(
            Door door,
            Target kind,
            HttpServletRequest request,
            Map<String, String> path,
            Optional<NamedInBody> creation) {
        String id = RawPath.of(request).objectId().isPresent() ? null : path.get(ID);
        if (id != null) {
            // A warehouse's routes may need its project as well, which only its record knows.
            boolean warehouse = door.target() == Target.WAREHOUSE || door.parent() == Target.WAREHOUSE;
            return warehouse == (kind == Target.WAREHOUSE) ? Optional.of(id) : Optional.empty();
        }
        if (door.target() == kind) {
            return creation.map(NamedInBody::newName);
        }
        return door.parent() == kind ? creation.map(NamedInBody::holderName) : Optional.empty();
    }

    private static Optional<String> role(Door door, Map<String, String> path, Optional<NamedInBody> creation) {
        if (door.target() != Target.ROLE) {
            return Optional.empty();
        }
        return Optional.ofNullable(path.get(ROLE)).or(() -> creation.map(NamedInBody::newName));
    }

    @SuppressWarnings("unchecked") // The framework's own attribute holds a map of strings.
    private static Map<String, String> pathVariables(HttpServletRequest request) {
        Object variables = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        return variables instanceof Map<?, ?> ? (Map<String, String>) variables : Map.of();
    }
}
