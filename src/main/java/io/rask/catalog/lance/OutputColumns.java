package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a result and where a scan provides them.
 *
 * @param columns what the result shows, in order; the path is the name the scan gives the column
 * @param scan what the scan must provide
 */
record OutputColumns(List<OutputColumn> columns, List<String> scan) {
    static final String DISTANCE = "_distance";
    static final String SCORE = "_score";
    static final String ROW_ID = "_rowid";
    private static final String ROW_ADDRESS = "_rowaddr";
    private static final int MOST = 10_000;

    /**
     * @throws CatalogException code 12 for an unknown column, 13 for two results of one name
     */
    static OutputColumns of(TableQuery query, Schema table) {
        String search = query.vectorSearch() != null ? DISTANCE : query.textSearch() != null ? SCORE : null;
        List<OutputColumn> columns = new ArrayList<>();
        if (query.columns().size() > MOST) {
            throw CatalogException.invalid("More than " + MOST + " columns are asked for.");
        }
        for (OutputColumn wanted : query.columns()) {
            columns.add(new OutputColumn(scanName(wanted.path(), table, search), wanted.name()));
        }
        if (query.columns().isEmpty()) {
            table.getFields().forEach(field -> columns.add(OutputColumn.of(field.getName())));
        }
        addMissing(columns, search);
        addMissing(columns, query.withRowId() ? ROW_ID : null);
        checkNames(columns);
        Set<String> scan = new LinkedHashSet<>();
        columns.forEach(column -> scan.add(column.path()));
        return new OutputColumns(List.copyOf(columns), List.copyOf(scan));
    }

    private static void addMissing(List<OutputColumn> columns, @Nullable String system) {
        if (system != null && columns.stream().noneMatch(column -> column.path().equals(system))) {
            columns.add(OutputColumn.of(system));
        }
    }

    private static String scanName(String path, Schema table, @Nullable String search) {
        if (path.equals(ROW_ID) || path.equals(ROW_ADDRESS) || path.equals(search)) {
            return path;
        }
        FieldPath parsed = FieldPath.of(path);
        parsed.in(table);
        return parsed.scan();
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
