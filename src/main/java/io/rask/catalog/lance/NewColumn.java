package io.rask.catalog.lance;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A column that is to be added. */
public sealed interface NewColumn {
    /** A column whose values are computed once, now. */
    record Expression(String name, String sql) implements NewColumn {}

    /** A column that is declared with the expression it is to be filled by; it has the type of the expression and holds nulls. */
    record Computed(String name, String sql) implements NewColumn {}

    /**
     * Columns that a function outside the catalog is to fill; they hold nulls.
     *
     * @param inputs paths of the fields the function reads
     * @param definition the function, as text
     */
    record Virtual(List<String> inputs, List<Output> outputs, String definition) implements NewColumn {}

    /**
     * One column of a function.
     *
     * @param type as a JSON body carries it
     */
    record Output(String name, @Nullable Object type, Map<String, String> metadata) {}
}
