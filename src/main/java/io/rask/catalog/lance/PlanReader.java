package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ipc.ScanOptions;
import org.springframework.stereotype.Component;

/**
 * Tells how queries are carried out: the plan of the very scan that a query would begin with, below the steps this server adds to
 * it. Where that is had from, and what is told where the library tells nothing, is decided in {@code docs/decisions/0010}.
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
     * @param run whether to carry the query out and tell what it cost
     * @param verbose whether the plan tells more, where it can
     * @throws CatalogException as {@link TableReader#query}
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
        ScanMeter meter = run ? new ScanMeter() : null;
        Scans scans = new Scans(lease, query, filter, meter);
        SqlPlans sql = new SqlPlans(dataset, schema, filter);
        try {
            Planned planned = planned(dataset, schema, query, scans, columns);
            ScanOptions scan = planned.scan();
            boolean search =
                    scan.getNearest().isPresent() || scan.getFullTextQuery().isPresent();
            List<String> steps = new ArrayList<>();
            if (!columns.computed().isEmpty()) {
                steps.add("Compute: " + columns.computed().values());
            }
            steps.addAll(planned.steps());
            String plan;
            if (isTold(scan, location)) {
                plan = ScanPlans.of(dataset, query.version(), scan, run, verbose, runtime);
            } else if (search) {
                SearchPlan told = new SearchPlan(new TableIndices(dataset), scan);
                steps.addAll(told.steps());
                if (meter != null) {
                    steps.add(0, carriedOut(dataset, schema, query, scans, columns, meter));
                }
                plan = told.hasPrefilter() ? sql.ofFilter() : "";
            } else {
                plan = sql.of(scan, query.orderBy(), run);
            }
            return indented(steps, PlanText.cleaned(plan, location.uri()));
        } catch (Exception e) {
            throw SqlErrors.translate(e, "The query");
        }
    }

    /** Whether the library's directory catalog tells the plan of exactly this scan. */
    private static boolean isTold(ScanOptions scan, TableLocation location) {
        return location.isFolder()
                && scan.getFullTextQuery().isEmpty()
                && scan.getFragmentIds().isEmpty()
                && scan.getColumnOrderings().orElse(List.of()).isEmpty();
    }

    private Planned planned(Dataset dataset, Schema schema, TableQuery query, Scans scans, OutputColumns columns)
            throws Exception {
        VectorSearch search = query.vectorSearch();
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

    /** Carries a whole query out, as it would be answered, and tells what came of it and what it cost. */
    private String carriedOut(
            Dataset dataset, Schema schema, TableQuery query, Scans scans, OutputColumns columns, ScanMeter meter)
            throws Exception {
        long begin = System.nanoTime();
        long rows = 0;
        try (RowSource source = QueryRows.of(dataset, schema, query, scans, columns, runtime.allocator())) {
            for (RowSource.Batch batch = source.next(); batch != null; batch = source.next()) {
                rows += batch.length();
            }
        }
        long micros = (System.nanoTime() - begin) / 1_000;
        return "AnalyzeQuery: output_rows=" + rows + ", elapsed=" + micros + "us, scans=[" + meter + "]";
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
