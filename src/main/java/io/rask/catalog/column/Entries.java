package io.rask.catalog.column;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What every list of changes in a body must have. */
final class Entries {
    private Entries() {}

    /** The entries of a list that is there and holds no null; code 13 otherwise. */
    static <T> List<T> required(String name, @Nullable List<@Nullable T> entries) {
        if (entries == null || entries.isEmpty() || entries.contains(null)) {
            throw missing(name, "The list " + name + " is missing, empty, or has an entry that is null.");
        }
        return entries.stream().map(Objects::requireNonNull).toList();
    }

    /** A path that is there; code 13 otherwise. */
    static String path(String name, @Nullable String path) {
        if (path == null || path.isEmpty()) {
            throw missing(name + ".path", "Every entry of " + name + " has the path of a field.");
        }
        return path;
    }

    /** A text that is there; code 13 otherwise. */
    static String text(String name, @Nullable String text) {
        if (text == null || text.isBlank()) {
            throw missing(name, "The field " + name + " is missing or empty.");
        }
        return text;
    }

    private static CatalogException missing(String field, String message) {
        return CatalogException.invalid(message, List.of(new FieldViolation(field, "must be present")));
    }
}
