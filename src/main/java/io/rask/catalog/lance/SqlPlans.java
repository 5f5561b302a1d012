package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ipc.ScanOptions;

/** Plans of scans without a search, as the library tells them of the same scan in SQL. */
final class SqlPlans {
    private final Dataset dataset;
    private final Schema schema;
    private final @Nullable SqlText filter;

    SqlPlans(Dataset dataset, Schema schema, @Nullable SqlText filter) {
        this.dataset = dataset;
        this.schema = schema;
        this.filter = filter;
    }

    /** @param run whether to carry the scan out and tell what each step cost */
    String of(ScanOptions scan, List<SortKey> order, boolean run) throws Exception {
        List<String> columns = scan.getColumns().orElse(List.of());
        List<String> keys = order.stream()
                .map(key -> FieldPath.of(key.column()).sql()
                        + (key.ascending() ? " ASC" : " DESC")
                        + (key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"))
                .toList();
        String sql =
                "SELECT " + String.join(", ", columns.stream().map(this::sql).toList()) + " FROM dataset"
                        + (scan.getFilter().isEmpty() ? "" : where())
                        + (keys.isEmpty() ? "" : " ORDER BY " + String.join(", ", keys))
                        + scan.getLimit().map(limit -> " LIMIT " + limit).orElse("")
                        + scan.getOffset().map(offset -> " OFFSET " + offset).orElse("");
        return explained((run ? "EXPLAIN ANALYZE " : "EXPLAIN ") + sql, columns.contains(OutputColumns.ROW_ID));
    }

    /** How the rows that pass the filter are found. */
    String ofFilter() throws Exception {
        return explained("EXPLAIN SELECT " + OutputColumns.ROW_ID + " FROM dataset" + where(), true);
    }

    private String where() {
        List<String> names = new ArrayList<>();
        schema.getFields().forEach(field -> collect(field, names));
        return filter == null ? "" : " WHERE (" + filter.forSelect(names) + ")";
    }

    private String explained(String sql, boolean rowIds) throws Exception {
        try (ArrowReader rows = dataset.sql(sql).withRowId(rowIds).intoBatchRecords()) {
            String plan = "";
            while (rows.loadNextBatch()) {
                FieldVector plans = rows.getVectorSchemaRoot().getVector(1);
                for (int i = 0; i < plans.getValueCount(); i++) {
                    // The plan that is carried out comes after the logical one.
                    plan = String.valueOf(plans.getObject(i));
                }
            }
            return plan;
        }
    }

    private String sql(String column) {
        return schema.getFields().stream().anyMatch(field -> field.getName().equals(column))
                ? SqlText.quoted(column)
                : column;
    }

    private static void collect(Field field, List<String> names) {
        names.add(field.getName());
        field.getChildren().forEach(child -> collect(child, names));
    }
}
