package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import org.jspecify.annotations.Nullable;

/**
 * An index that is to be made.
 *
 * @param name null while the catalog has not chosen one
 * @param column the path of the field
 */
public record NewIndex(
        @Nullable String name, String column, IndexKind kind, VectorIndexSettings vectors, TextIndexSettings text) {
    private static final int LONGEST_NAME = 256;

    /** Code 13 when the settings do not go together, or the name cannot be one. */
    void require() {
        vectors.requireFor(kind);
        text.requireFor(kind);
        if (name != null) {
            requireName(name);
        }
    }

    /** Code 13 for what cannot be the name of an index. */
    static void requireName(String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw VectorIndexSettings.refused("name", "must have 1 to " + LONGEST_NAME + " characters");
        }
        if (name.chars().anyMatch(Character::isISOControl) || name.startsWith(TableIndices.SYSTEM)) {
            throw CatalogException.invalid("The name of an index has no control characters, and does not begin with "
                    + TableIndices.SYSTEM + ".");
        }
    }

    NewIndex named(String chosen) {
        return new NewIndex(chosen, column, kind, vectors, text);
    }
}
