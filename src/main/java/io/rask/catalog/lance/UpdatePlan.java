package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An update as one SELECT that gives every changed row whole, with its address: assigned columns hold their new value, cast to
 * the column's type, all others the old one.
 */
record UpdatePlan(String select) {
    static final String ADDRESS = "_rowaddr";
    /** Keeps one stored column in the projection: without any, the engine ignores the projection or fails. */
    static final String ANCHOR = "__anchor";

    private static final int MOST_ASSIGNMENTS = 1_000;

    /**
     * @throws CatalogException code 12 for an unknown column, 13 for one assigned twice or an expression that is not accepted,
     *     0 when the table holds columns that cannot be rewritten
     */
    static UpdatePlan of(Schema schema, Map<String, String> assignments, @Nullable SqlText predicate) {
        schema.getFields().forEach(UpdatePlan::requireRewritable);
        Set<String> names = FieldPath.names(schema.getFields());
        Map<List<String>, String> values = values(schema, assignments, names);
        List<String> selected = new ArrayList<>();
        selected.add(ADDRESS);
        for (Field field : schema.getFields()) {
            selected.add(
                    expression(field, List.of(field.getName()), values) + " AS " + SqlText.quoted(field.getName()));
        }
        selected.add(SqlText.quoted(schema.getFields().get(0).getName()) + " AS " + ANCHOR);
        String where = predicate == null ? "" : " WHERE (" + predicate.forSelect(names) + ")";
        return new UpdatePlan("SELECT " + String.join(", ", selected) + " FROM dataset" + where);
    }

    private static Map<List<String>, String> values(Schema schema, Map<String, String> assignments, Set<String> names) {
        if (assignments.isEmpty() || assignments.size() > MOST_ASSIGNMENTS) {
            throw CatalogException.invalid("An update needs 1 to " + MOST_ASSIGNMENTS + " columns to change.");
        }
        Map<List<String>, String> values = new LinkedHashMap<>();
        for (Map.Entry<String, String> assignment : assignments.entrySet()) {
            FieldPath path = FieldPath.of(assignment.getKey());
            path.in(schema);
            requireDistinct(path.segments(), values.keySet());
            values.put(path.segments(), SqlText.of(assignment.getValue()).forSelect(names));
        }
        return values;
    }

    private static void requireDistinct(List<String> path, Set<List<String>> others) {
        for (List<String> other : others) {
            int common = Math.min(path.size(), other.size());
            if (path.subList(0, common).equals(other.subList(0, common))) {
                throw CatalogException.invalid("Column '" + String.join(".", path) + "' is assigned twice.");
            }
        }
    }

    private static String expression(Field field, List<String> path, Map<List<String>, String> values) {
        String value = values.get(path);
        String old = new FieldPath(path).sql();
        if (value != null) {
            String type = EngineTypes.name(field.getType());
            return type == null ? "(" + value + ")" : "arrow_cast((" + value + "), '" + type + "')";
        }
        boolean inside = values.keySet().stream()
                .anyMatch(assigned -> assigned.size() > path.size()
                        && assigned.subList(0, path.size()).equals(path));
        if (!inside) {
            return old;
        }
        if (!(field.getType() instanceof ArrowType.Struct)) {
            throw CatalogException.invalid(
                    "Column '" + String.join(".", path) + "' is no struct; assign it as a whole.");
        }
        List<String> parts = new ArrayList<>();
        for (Field child : field.getChildren()) {
            List<String> childPath = new ArrayList<>(path);
            childPath.add(child.getName());
            parts.add("'" + child.getName().replace("'", "''") + "', " + expression(child, childPath, values));
        }
        return "CASE WHEN " + old + " IS NULL THEN NULL ELSE named_struct(" + String.join(", ", parts) + ") END";
    }

    private static void requireRewritable(Field field) {
        if (Blobs.isBlob(field)) {
            throw notRewritable("blobs in column '" + field.getName() + "'");
        }
        field.getChildren().forEach(UpdatePlan::requireRewritable);
    }

    /** Code 0. */
    static CatalogException notRewritable(String what) {
        return CatalogException.of(
                ErrorCode.UNSUPPORTED,
                "An update rewrites whole rows, and the table holds " + what + ", which cannot be carried over.");
    }
}
