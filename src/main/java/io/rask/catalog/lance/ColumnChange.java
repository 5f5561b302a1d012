package io.rask.catalog.lance;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A change of one column, or of a field inside one. What is null stays as it is.
 *
 * @param path the field, by its present name
 * @param type its new type, as a JSON body carries it
 * @param rename its new name, without the path
 * @param virtual the new definition of the function that fills it
 */
public record ColumnChange(
        String path,
        @Nullable Object type,
        @Nullable String rename,
        @Nullable Boolean nullable,
        @Nullable Virtual virtual) {

    /**
     * A new definition of a function.
     *
     * @param inputs null leaves them
     * @param definition makes the new text of the old
     */
    public record Virtual(@Nullable List<String> inputs, UnaryOperator<String> definition) {}
}
