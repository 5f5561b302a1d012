package io.rask.catalog.door;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the ids of a request are relative to. For LanceDB's clients a database is a top-level namespace, which a header names; a
 * prefix leads to a namespace inside it.
 *
 * @param namespace the root where the request names no database: then its ids are whole
 */
public record DatabaseScope(ObjectId namespace) {
    private static final String DATABASE = "x-lancedb-database";
    private static final String PREFIX = "x-lancedb-database-prefix";

    /**
     * Reads the scope of a request.
     *
     * @param header the value of a header by its name
     * @throws CatalogException code 13 for a name that is none, and for a prefix without a database
     */
    static DatabaseScope of(Function<String, Optional<String>> header) {
        Optional<String> database = header.apply(DATABASE).filter(name -> !name.isEmpty());
        Optional<String> prefix = header.apply(PREFIX).filter(path -> !path.isEmpty());
        if (database.isEmpty() && prefix.isPresent()) {
            throw CatalogException.invalid(
                    "The header " + PREFIX + " leads into a database; name that in " + DATABASE + ".");
        }
        List<String> segments = new ArrayList<>();
        database.ifPresent(segments::add);
        prefix.ifPresent(path -> segments.addAll(List.of(path.split("/", -1))));
        return new DatabaseScope(new ObjectId(segments));
    }

    /** Whether the request names no database. */
    public boolean isWhole() {
        return namespace.isRoot();
    }

    /** The whole id of what a request calls by a relative one. */
    public ObjectId absolute(ObjectId relative) {
        List<String> segments = new ArrayList<>(namespace.segments());
        segments.addAll(relative.segments());
        return new ObjectId(segments);
    }

    /** Whether the object is inside the scope. */
    public boolean holds(ObjectId absolute) {
        return isWhole() || namespace.contains(absolute);
    }

    /** The id that a client in this scope knows an object inside it by. */
    public ObjectId relative(ObjectId absolute) {
        if (!holds(absolute)) {
            return absolute;
        }
        return new ObjectId(absolute.segments().subList(namespace.depth(), absolute.depth()));
    }
}
