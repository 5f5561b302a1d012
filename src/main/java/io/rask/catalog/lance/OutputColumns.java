package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a result and where they come from.
 *
 * @param columns what the result shows, in order; the path is the name the column has after the scan and what is computed
 * @param scan what the scan must provide
 * @param computed the expressions by the names their results get, in order
 * @param inputs what the expressions are computed from, part of the scan
 */
record OutputColumns(
        List<OutputColumn> columns, List<String> scan, Map<String, SqlText> computed, List<String> inputs) {
    static final String DISTANCE = "_distance";
    static final String SCORE = "_score";
    static final String ROW_ID = "_rowid";
    private static final String ROW_ADDRESS = "_rowaddr";
    private static final String COMPUTED = "__computed_";
    private static final int MOST = 10_000;
    private static final int MOST_COMPUTED = 200;

    /**
     * @throws CatalogException code 12 for an unknown column, 13 for two results of one name and for an expression that is not
     *     accepted
     */
    static OutputColumns of(TableQuery query, Schema table) {
        String search = query.vectorSearch() != null ? DISTANCE : query.textSearch() != null ? SCORE : null;
        List<OutputColumn> columns = new ArrayList<>();
        Map<String, SqlText> computed = new LinkedHashMap<>();
        if (query.columns().size() > MOST) {
            throw CatalogException.invalid("More than " + MOST + " columns are asked for.");
        }
        for (OutputColumn wanted : query.columns()) {
            String path = wanted.expression()
                    ? stored(wanted.path(), table, search).orElseGet(() -> computed(wanted.path(), computed))
                    : scanName(wanted.path(), table, search);
            columns.add(new OutputColumn(path, wanted.name()));
        }
        SqlText.requireTogether(computed.values());
        if (query.columns().isEmpty()) {
            table.getFields().forEach(field -> columns.add(OutputColumn.of(field.getName())));
        }
        addMissing(columns, search);
        addMissing(columns, query.withRowId() ? ROW_ID : null);
        checkNames(columns);
        Set<String> scan = new LinkedHashSet<>();
        columns.stream()
                .map(OutputColumn::path)
                .filter(path -> !computed.containsKey(path))
                .forEach(scan::add);
        List<String> inputs = inputs(computed, table, search);
        scan.addAll(inputs);
        return new OutputColumns(List.copyOf(columns), List.copyOf(scan), computed, inputs);
    }

    private static void addMissing(List<OutputColumn> columns, @Nullable String system) {
        if (system != null && columns.stream().noneMatch(column -> column.path().equals(system))) {
            columns.add(OutputColumn.of(system));
        }
    }

    private static String scanName(String path, Schema table, @Nullable String search) {
        if (isSystem(path, search)) {
            return path;
        }
        FieldPath parsed = FieldPath.of(path);
        parsed.in(table);
        return parsed.scan();
    }

    private static boolean isSystem(String path, @Nullable String search) {
        return path.equals(ROW_ID) || path.equals(ROW_ADDRESS) || path.equals(search);
    }

    /** Where a scan finds what the text names, if it is the path of a field. */
    private static Optional<String> stored(String text, Schema table, @Nullable String search) {
        if (isSystem(text, search)) {
            return Optional.of(text);
        }
        try {
            FieldPath path = FieldPath.of(text);
            return path.find(table).map(field -> path.scan());
        } catch (CatalogException e) {
            return Optional.empty();
        }
    }

    private static String computed(String sql, Map<String, SqlText> computed) {
        if (computed.size() == MOST_COMPUTED) {
            throw CatalogException.invalid("More than " + MOST_COMPUTED + " expressions are asked for.");
        }
        SqlText text = SqlText.of(sql);
        if (text.names(ROW_ID) || text.names(ROW_ADDRESS)) {
            throw CatalogException.invalid(
                    "An expression cannot use " + ROW_ID + " or " + ROW_ADDRESS + "; ask for the column itself.");
        }
        String name = COMPUTED + computed.size();
        computed.put(name, text);
        return name;
    }

    /** What the expressions are computed from; at least one column, which says how many rows there are. */
    private static List<String> inputs(Map<String, SqlText> computed, Schema table, @Nullable String search) {
        List<String> inputs = new ArrayList<>();
        if (computed.isEmpty()) {
            return inputs;
        }
        for (Field field : table.getFields()) {
            if (computed.values().stream().anyMatch(text -> text.names(field.getName()))) {
                inputs.add(field.getName());
            }
        }
        if (search != null) {
            inputs.add(search);
        }
        if (inputs.isEmpty()) {
            inputs.add(table.getFields().getFirst().getName());
        }
        return inputs;
    }

    private static void checkNames(List<OutputColumn> columns) {
        Set<String> names = new HashSet<>();
        for (OutputColumn column : columns) {
            if (column.name().isEmpty() || !names.add(column.name())) {
                throw CatalogException.invalid("Every column of a result needs a name of its own: '" + column.name()
                        + "' is empty or occurs twice.");
            }
        }
    }

    /** The field of each result column, given the schema of the scan. */
    List<Field> fields(Schema scanned) {
        return columns.stream().map(column -> scanned.findField(column.path())).toList();
    }
}
