package io.rask.catalog.lance;

import io.rask.catalog.lance.ColumnFiles.Computed;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.problem.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;

/**
 * What the values of a computed column come to, given the table as it is.
 *
 * @param column with its id
 * @param expression what the values come from
 * @param values how they are computed
 * @param condition which rows get one; null for all
 * @param ids of the column and the fields inside it, in the order of its files
 * @param inputs the ids of everything a value depends on, the column itself among them
 */
record FillPlan(
        Field column,
        String expression,
        Computed values,
        @Nullable Condition condition,
        List<Integer> ids,
        Set<Integer> inputs) {
    /** A condition as a scan takes it, and as SELECT does. */
    record Condition(String filter, String sql) {}

    /** What stands in place of a field in a file that no longer has the field's values. */
    private static final int GONE = -2;

    private static final String PROBE = "__condition";

    /**
     * @throws CatalogException code 12 when the table has no such column, or the condition names one that it has not; 13 when the
     *     column is not computed, or the condition is none; 0 when a function outside is to fill the column
     */
    static FillPlan of(Dataset table, String path, @Nullable String where) {
        List<Field> fields = ColumnIds.of(table);
        Field column = computed(table, fields, FieldPath.of(path));
        Set<String> names = FieldPath.names(fields);
        SqlText expression = SqlText.of(String.valueOf(column.getMetadata().get(ColumnBindings.EXPRESSION)));
        SqlText condition = where == null ? null : SqlText.of(where);
        Predicate<Field> used = field -> field == column
                || expression.names(field.getName())
                || condition != null && condition.names(field.getName());
        return new FillPlan(
                column,
                value(column, expression, names),
                new Computed(ColumnIds.without(column), values(column, expression, condition, names)),
                condition == null ? null : new Condition(condition.forFilter(), condition.forSelect(names)),
                ordered(column),
                ColumnFiles.ids(fields.stream().filter(used).toList()));
    }

    private static Field computed(Dataset table, List<Field> fields, FieldPath path) {
        path.in(table.getSchema());
        Field column = fields.stream()
                .filter(field -> List.of(field.getName()).equals(path.segments()))
                .findFirst()
                .orElseThrow(() -> notComputed(path));
        if (column.getMetadata().containsKey(ColumnBindings.FUNCTION)) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "Column '" + path.canonical() + "' is filled by a function outside the catalog, which runs no"
                            + " functions of its users; have the function write the values.");
        }
        if (!column.getMetadata().containsKey(ColumnBindings.EXPRESSION)) {
            throw notComputed(path);
        }
        return column;
    }

    private static CatalogException notComputed(FieldPath path) {
        return CatalogException.invalid(
                "Column '" + path.canonical() + "' was not declared as computed, so there is nothing to fill it from.",
                List.of(new FieldViolation("column", "must be a computed column")));
    }

    private static String value(Field column, SqlText expression, Set<String> names) {
        String sql = "(" + expression.forSelect(names) + ")";
        String type = EngineTypes.nested(column);
        return type == null ? sql : "arrow_cast(" + sql + ", '" + type + "')";
    }

    private static String values(Field column, SqlText expression, @Nullable SqlText condition, Set<String> names) {
        String value = value(column, expression, names);
        if (condition == null) {
            return value;
        }
        String kept = new FieldPath(List.of(column.getName())).sql();
        return "CASE WHEN (" + condition.forSelect(names) + ") THEN " + value + " ELSE " + kept + " END";
    }

    /**
     * Checks that the engine takes the expression and the condition; nothing is computed.
     *
     * @throws CatalogException code 12 or 13 when it does not, 13 also when the expression has other fields than the column
     */
    void require(Dataset table, ColumnFiles files) throws Exception {
        Field type = files.type(table, column.getName(), expression);
        if (EngineTypes.nested(column) == null
                && !FieldPath.names(type.getChildren()).equals(FieldPath.names(column.getChildren()))) {
            throw CatalogException.invalid("The expression of column '" + column.getName()
                    + "' does not have the fields that the column has now.");
        }
        if (condition != null) {
            Field found = files.type(table, PROBE, condition.sql());
            if (!(found.getType() instanceof ArrowType.Bool)) {
                throw CatalogException.invalid(
                        "The condition is neither true nor false for a row.",
                        List.of(new FieldViolation("where", "must be a condition")));
            }
        }
    }

    /** What the values of a fragment depend on, so far as it is stored in it: two fragments with the same have the same values. */
    String basis(FragmentMetadata fragment) {
        List<String> basis = new ArrayList<>();
        basis.add(shape(values.target()));
        // Rows that are deleted get no value of their own, and may come back when an earlier version is restored.
        basis.add(String.valueOf(fragment.getDeletionFile()));
        // A column that is dropped and declared again may get the id that it had.
        basis.add(UUID.nameUUIDFromBytes(values.sql().getBytes(StandardCharsets.UTF_8)) + " for " + ids);
        basis.add(fragment.getPhysicalRows() + " places");
        basis.add(
                fragment.getFiles().isEmpty() ? "" : fragment.getFiles().get(0).getPath());
        for (DataFile file : fragment.getFiles()) {
            List<Integer> used = Arrays.stream(file.getFields())
                    .filter(inputs::contains)
                    .boxed()
                    .toList();
            if (!used.isEmpty()) {
                basis.add(file.getPath() + " " + used);
            }
        }
        return String.join("\n", basis);
    }

    /** The type of a field with those inside it, and which of them may hold no value. */
    private static String shape(Field field) {
        return field.getName() + " " + field.getType() + (field.isNullable() ? "?" : "")
                + field.getChildren().stream().map(FillPlan::shape).toList();
    }

    /** The fragment with the new values in place of the old ones. */
    FragmentMetadata filled(FragmentMetadata fragment, FilledFragment.File made) {
        List<DataFile> files = new ArrayList<>();
        for (DataFile file : fragment.getFiles()) {
            DataFile left = without(file);
            if (Arrays.stream(left.getFields()).anyMatch(id -> id >= 0)) {
                files.add(left);
            }
        }
        files.add(stored(made));
        return ColumnFiles.withFiles(fragment, files);
    }

    /** A file that was kept, as a table has it. */
    static DataFile stored(FilledFragment.File made) {
        return new DataFile(
                made.path(),
                array(made.fields()),
                array(made.columns()),
                made.major(),
                made.minor(),
                made.bytes(),
                null);
    }

    /** A file as it is kept; null for none. */
    static FilledFragment.@Nullable File kept(@Nullable DataFile file) {
        return file == null
                ? null
                : new FilledFragment.File(
                        file.getPath(),
                        Arrays.stream(file.getFields()).boxed().toList(),
                        Arrays.stream(file.getColumnIndices()).boxed().toList(),
                        file.getFileMajorVersion(),
                        file.getFileMinorVersion(),
                        file.getFileSizeBytes());
    }

    private DataFile without(DataFile file) {
        int[] fields = Arrays.stream(file.getFields())
                .map(id -> ids.contains(id) ? GONE : id)
                .toArray();
        return new DataFile(
                file.getPath(),
                fields,
                file.getColumnIndices(),
                file.getFileMajorVersion(),
                file.getFileMinorVersion(),
                file.getFileSizeBytes(),
                file.getBaseId().orElse(null));
    }

    private static int[] array(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Each field before those inside it, as a file has them. */
    private static List<Integer> ordered(Field field) {
        List<Integer> ids = new ArrayList<>();
        if (ColumnIds.id(field) >= 0) {
            ids.add(ColumnIds.id(field));
        }
        field.getChildren().forEach(child -> ids.addAll(ordered(child)));
        return ids;
    }
}
