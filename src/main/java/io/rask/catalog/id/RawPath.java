package io.rask.catalog.id;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request's path, read from the raw address. The framework sees {@link #canonical()}, in which the id of the object is one segment;
 * the id itself is read from the raw text, because decoding by anyone else would already have lost what the client wrote.
 *
 * @param canonical the address handlers are mapped by: no trailing slash, no raw semicolon, no alias
 * @param trailingSlash whether the client wrote a slash at the end
 * @param objectId the raw id of the object, where the route names one
 */
public record RawPath(String canonical, boolean trailingSlash, Optional<RawId> objectId) {
    private static final String ATTRIBUTE = RawPath.class.getName();
    private static final String API = "/v1/";
    private static final String TABLES = "/v1/table";
    private static final String ALIAS = "/management";
    private static final List<String> CONTAINERS =
            List.of("projects", "project", "warehouses", "warehouse", "jobs", "me", "api-keys");

    /** Reads the raw path of a request, without its query. It never fails: a path that fits no route stays as it is. */
    public static RawPath parse(String uri) {
        boolean slash = uri.length() > 1 && uri.endsWith("/");
        String path = slash ? uri.substring(0, uri.length() - 1) : uri;
        boolean aliased = path.startsWith(ALIAS + API);
        String target = aliased ? path.substring(ALIAS.length()) : path;
        if (!target.startsWith(API)) {
            return plain(path, slash);
        }
        List<String> segments = List.of(target.substring(API.length()).split("/", -1));
        String kind = segments.getFirst();
        if (RouteTails.isObjectKind(kind) && segments.size() > 1) {
            RawPath object = object(kind, segments.subList(1, segments.size()), slash, aliased);
            return object == null ? plain(path, slash) : object;
        }
        return plain(CONTAINERS.contains(kind) ? target : path, slash);
    }

    private static @Nullable RawPath object(String kind, List<String> rest, boolean slash, boolean aliased) {
        if (kind.equals("namespace") && rest.equals(List.of("list"))) {
            // What is left of /v1/namespace/./list, where '.' is the delimiter and so the root, after an address was
            // normalised.
            return object(kind, List.of(".", "list"), slash, aliased);
        }
        RouteTails.Tail tail = RouteTails.longest(kind, rest).orElse(null);
        if (tail == null || (aliased && tail.spec())) {
            return null;
        }
        int idEnd = rest.size() - tail.segments().size();
        String id = String.join("/", rest.subList(0, idEnd));
        String operation = String.join("/", rest.subList(idEnd, rest.size()));
        String canonical = API + kind + "/" + oneSegment(id) + "/" + keepSemicolons(operation);
        return new RawPath(canonical, slash, Optional.of(new RawId(id)));
    }

    private static RawPath plain(String path, boolean slash) {
        return new RawPath(keepSemicolons(path), slash, Optional.empty());
    }

    private static String oneSegment(String id) {
        return id.isEmpty() ? "." : keepSemicolons(id.replace("/", "%2F"));
    }

    /** The framework would cut a segment at a raw semicolon, and so reach another object. */
    private static String keepSemicolons(String path) {
        return path.replace(";", "%3B");
    }

    /** LanceDB's own clients write a slash at the end of table routes, and read other shapes of some answers. */
    public boolean lanceDbDialect() {
        return trailingSlash && (canonical.equals(TABLES) || canonical.startsWith(TABLES + "/"));
    }

    /** The path of a request that passed {@link RawPathFilter}. */
    public static RawPath of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof RawPath path) {
            return path;
        }
        throw new IllegalStateException("The request did not pass the raw path filter.");
    }

    void attach(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }
}
