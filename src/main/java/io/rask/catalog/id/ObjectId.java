package io.rask.catalog.id;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of an object below the warehouses: its segments from the top-level namespace down. The root has none.
 *
 * @param segments the segments; none is empty, {@code .} or {@code ..}, holds the stored delimiter or a control character
 */
public record ObjectId(List<String> segments) {
    /** The id that contains every other. */
    public static final ObjectId ROOT = new ObjectId(List.of());

    /** Checks the segments; a bad one is code 13. */
    public ObjectId {
        segments = List.copyOf(segments);
        for (String segment : segments) {
            check(segment);
        }
    }

    public static ObjectId of(String... segments) {
        return new ObjectId(List.of(segments));
    }

    /** Reads an id as bodies carry it. A null segment, like any other bad one, is code 13. */
    public static ObjectId ofBody(List<@Nullable String> segments) {
        List<String> present = new ArrayList<>(segments.size());
        for (String segment : segments) {
            if (segment == null) {
                throw CatalogException.invalid("A segment of the id is null; every segment needs a name.");
            }
            present.add(segment);
        }
        return new ObjectId(present);
    }

    private static void check(String segment) {
        if (segment.isEmpty()) {
            throw CatalogException.invalid("The id has an empty segment; every segment needs a name.");
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw CatalogException.invalid("The id has a segment '" + segment + "', which is not a name.");
        }
        if (segment.chars().anyMatch(Character::isISOControl)) {
            throw CatalogException.invalid("The id has a control character, which no name may hold.");
        }
        if (segment.contains(Delimiter.STORED.text())) {
            throw CatalogException.invalid(
                    "A segment of the id contains '" + Delimiter.STORED + "', which separates segments in storage.");
        }
    }

    public boolean isRoot() {
        return segments.isEmpty();
    }

    /** How many segments the id has; the root has none. */
    public int depth() {
        return segments.size();
    }

    /** The last segment; the root has none and must not be asked. */
    public String name() {
        if (isRoot()) {
            throw new IllegalStateException("The root has no name.");
        }
        return segments.getLast();
    }

    /** The id without its last segment; the root has no parent and must not be asked. */
    public ObjectId parent() {
        if (isRoot()) {
            throw new IllegalStateException("The root has no parent.");
        }
        return new ObjectId(segments.subList(0, depth() - 1));
    }

    /** The id of the object of that name directly below this one; a bad name is code 13. */
    public ObjectId child(String name) {
        List<String> longer = new ArrayList<>(segments);
        longer.add(name);
        return new ObjectId(longer);
    }

    /** Whether the other id lies below this one, at any depth; an id does not contain itself. */
    public boolean contains(ObjectId other) {
        return other.depth() > depth() && other.segments.subList(0, depth()).equals(segments);
    }

    /** The id as the catalog's own storage spells it: the segments joined by {@link Delimiter#STORED}; empty for the root. */
    public String stored() {
        return String.join(Delimiter.STORED.text(), segments);
    }

    /** The id as messages show it. */
    @Override
    public String toString() {
        return isRoot() ? Delimiter.STORED.text() : stored();
    }
}
