package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * How a column says in its metadata what it is to be filled by: an expression or a function, and the fields that go in. Field names
 * hold no line breaks, so these part the paths.
 */
public final class ColumnBindings {
    /** The SQL expression of a computed column. */
    public static final String EXPRESSION = CatalogKeys.OWN + "computed";

    /** The function of a virtual column, as JSON. */
    public static final String FUNCTION = CatalogKeys.OWN + "virtual";

    /** The paths of the fields that go in, one a line. */
    public static final String INPUTS = CatalogKeys.OWN + "inputs";

    /** The indices that a change of type took away and that can be built anew: one a line, as JSON. */
    public static final String LOST_INDICES = CatalogKeys.OWN + "lost-indices";

    private ColumnBindings() {}

    static Map<String, String> of(String key, String text, List<String> inputs) {
        Map<String, String> metadata = new HashMap<>();
        metadata.put(key, text);
        metadata.put(INPUTS, String.join("\n", inputs));
        return metadata;
    }

    /**
     * Refuses to take a field away that another column is filled from.
     *
     * @param columns the columns that stay
     * @throws CatalogException code 19
     */
    static void requireFree(List<Field> columns, FieldPath path) {
        Predicate<String> touches = input -> overlap(FieldPath.of(input).segments(), path.segments());
        for (Field column : columns) {
            String inputs = column.getMetadata().getOrDefault(INPUTS, "");
            if (!inputs.isEmpty() && inputs.lines().anyMatch(touches)) {
                throw CatalogException.of(
                        ErrorCode.INVALID_TABLE_STATE,
                        "Column '" + column.getName() + "' is filled from '" + path.canonical()
                                + "', which can therefore not be dropped or renamed; drop '" + column.getName()
                                + "' first.");
            }
        }
    }

    private static boolean overlap(List<String> one, List<String> other) {
        int common = Math.min(one.size(), other.size());
        return one.subList(0, common).equals(other.subList(0, common));
    }

    /** Whether a key says how a column is stored, which only the engine may decide. */
    static boolean isEngines(String key) {
        return Set.of("lance-encoding:", "lance-schema:", "lance:", "ARROW:").stream()
                .anyMatch(prefix -> key.regionMatches(true, 0, prefix, 0, prefix.length()));
    }
}
