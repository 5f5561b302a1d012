package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ipc.ScanOptions;
import org.springframework.stereotype.Component;

/**
 * Tells how queries are carried out: the plan of the very scan that a query would begin with, below the steps this server adds to
 * it. How that is had from the library is told in {@code docs/decisions/0010}.
 */
@Component
public final class PlanReader {
    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;

    public PlanReader(NativeRuntime runtime, NativeCalls calls, DatasetHandles handles) {
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
    }

    /** A scan, and the steps of this server that come after it, the last one first. */
    private record Planned(List<String> steps, ScanOptions scan) {}

    /**
     * The plan of a query.
     *
     * @param run whether to carry the scan out and tell what each step cost; otherwise nothing of the table's data is read
     * @param verbose whether the plan tells more, where it can
     * @throws CatalogException as {@link TableReader#query}, code 13 for a search whose results are put in another order, and code
     *     0 for a full-text search and for a vector search in an object store: the library tells no plan of those
     */
    public String plan(TableLocation location, TableQuery query, boolean run, boolean verbose) {
        TableReader.checkShape(query);
        SqlText filter = query.filter() == null ? null : SqlText.of(query.filter());
        return calls.stream(() -> {
            try (DatasetLease lease = handles.open(location, query.version())) {
                return plan(lease, location, query, filter, run, verbose);
            }
        });
    }

    private String plan(
            DatasetLease lease,
            TableLocation location,
            TableQuery query,
            @Nullable SqlText filter,
            boolean run,
            boolean verbose)
            throws Exception {
        Dataset dataset = lease.dataset();
        Schema schema = lease.schema();
        OutputColumns columns = OutputColumns.of(query, schema);
        Scans scans = new Scans(lease, query, filter);
        try {
            requireTold(query, location);
            Planned planned = planned(dataset, schema, query, scans, columns);
            boolean scanned = query.orderBy().isEmpty() && location.isFolder();
            String plan = scanned
                    ? ScanPlans.of(dataset, query.version(), planned.scan(), run, verbose, runtime)
                    : sql(dataset, schema, query, filter, columns, run);
            return indented(planned.steps(), PlanText.cleaned(plan, location.uri()));
        } catch (Exception e) {
            throw SqlErrors.translate(e, "The query");
        }
    }

    /** Refuses where the library would tell the plan of something else, or of nothing. */
    private static void requireTold(TableQuery query, TableLocation location) {
        if (query.textSearch() != null) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED, "The table library does not tell the plan of a full-text search.");
        }
        if (query.vectorSearch() != null && !location.isFolder()) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "The table library does not tell the plan of a vector search in an object store.");
        }
    }

    private Planned planned(Dataset dataset, Schema schema, TableQuery query, Scans scans, OutputColumns columns)
            throws Exception {
        VectorSearch search = query.vectorSearch();
        if (!query.orderBy().isEmpty() && search != null) {
            throw CatalogException.invalid(
                    "The plan of a search is not told together with order_by, which only sorts its results; leave it out.");
        }
        if (search == null) {
            return new Planned(List.of(), scans.whole(columns));
        }
        VectorColumn column = VectorColumn.of(search, schema);
        List<String> steps = new ArrayList<>();
        if (search.vectors().size() > 1) {
            steps.add("Sequence: vectors=" + search.vectors().size());
        }
        float[] first = search.vectors().get(0);
        if (column.elements() != VectorColumn.Elements.FLOAT) {
            ByteSearch nearest =
                    new ByteSearch(dataset, scans, query, search, column, columns.scan(), runtime.allocator());
            steps.add(
                    "NearestBytes: metric=" + nearest.metric().name().toLowerCase(Locale.ROOT) + window(query, search));
            return new Planned(steps, nearest.plan());
        }
        NearestSearch nearest = new NearestSearch(dataset, scans, query, search, column, columns.scan());
        if (search.lowerBound() != null || search.upperBound() != null) {
            steps.add("DistanceWindow:" + window(query, search).substring(1));
        }
        return new Planned(steps, nearest.plan(first));
    }

    private static String window(TableQuery query, VectorSearch search) {
        return ", lower_bound=" + search.lowerBound() + ", upper_bound=" + search.upperBound() + ", skip="
                + query.offset() + ", fetch=" + query.limit();
    }

    /** The plan of a scan as the library tells it of SQL: in order, or of a table in an object store. */
    private static String sql(
            Dataset dataset,
            Schema schema,
            TableQuery query,
            @Nullable SqlText filter,
            OutputColumns columns,
            boolean run)
            throws Exception {
        List<String> names = new ArrayList<>();
        schema.getFields().forEach(field -> collect(field, names));
        List<String> keys = query.orderBy().stream()
                .map(key -> FieldPath.of(key.column()).sql()
                        + (key.ascending() ? " ASC" : " DESC")
                        + (key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"))
                .toList();
        List<String> selected =
                columns.scan().stream().map(column -> sql(column, schema)).toList();
        String sql = (run ? "EXPLAIN ANALYZE " : "EXPLAIN ") + "SELECT " + String.join(", ", selected) + " FROM dataset"
                + (filter == null ? "" : " WHERE (" + filter.forSelect(names) + ")")
                + (keys.isEmpty() ? "" : " ORDER BY " + String.join(", ", keys))
                + " LIMIT " + Math.min(query.limit(), dataset.countRows())
                + " OFFSET " + Math.min(query.offset(), dataset.countRows());
        boolean rowIds = columns.scan().contains(OutputColumns.ROW_ID);
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

    private static String sql(String column, Schema schema) {
        return schema.getFields().stream().anyMatch(field -> field.getName().equals(column))
                ? SqlText.quoted(column)
                : column;
    }

    private static void collect(Field field, List<String> names) {
        names.add(field.getName());
        field.getChildren().forEach(child -> collect(child, names));
    }

    private static String indented(List<String> steps, String plan) {
        StringBuilder text = new StringBuilder();
        String indent = "";
        for (String step : steps) {
            text.append(indent).append(step).append('\n');
            indent += "  ";
        }
        for (String line : plan.split("\n", -1)) {
            text.append(line.isBlank() ? "" : indent).append(line).append('\n');
        }
        return text.toString().stripTrailing() + "\n";
    }
}
