package io.rask.catalog.lance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lance.Dataset;
import org.lance.Ref;
import org.lance.index.DistanceType;
import org.lance.ipc.Query;
import org.lance.ipc.ScanOptions;
import org.lance.namespace.DirectoryNamespace;
import org.lance.namespace.model.AnalyzeTableQueryPlanRequest;
import org.lance.namespace.model.ExplainTableQueryPlanRequest;
import org.lance.namespace.model.QueryTableRequest;
import org.lance.namespace.model.QueryTableRequestColumns;
import org.lance.namespace.model.QueryTableRequestVector;
import org.springframework.util.FileSystemUtils;

/**
 * Plans of scans. The library's scanner does not tell its plan, but its directory catalog does, for tables of its own. So the version
 * in question becomes one for a moment: as a shallow clone in a folder of this process, which takes its fragments and indices from
 * where they are and copies nothing but the manifest. Only for tables in a folder: the clone would lie in the table's own store.
 */
final class ScanPlans {
    private static final String NAME = "table";

    private ScanPlans() {}

    static String of(
            Dataset dataset,
            TableVersion version,
            ScanOptions scan,
            boolean run,
            boolean verbose,
            NativeRuntime runtime)
            throws Exception {
        Path folder = Files.createTempDirectory("plan-");
        try {
            Ref ref = version.branch() == null
                    ? Ref.ofMain(dataset.version())
                    : Ref.ofBranch(version.branch(), dataset.version());
            String clone = folder.resolve(NAME + ".lance").toString();
            dataset.shallowClone(clone, ref).close();
            try (DirectoryNamespace catalog = new DirectoryNamespace()) {
                catalog.initialize(properties(folder), runtime.allocator());
                return run ? analyzed(catalog, scan) : explained(catalog, scan, verbose);
            }
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private static Map<String, String> properties(Path folder) {
        Map<String, String> properties = new HashMap<>();
        properties.put("root", folder.toString());
        properties.put("manifest_enabled", "false");
        properties.put("dir_listing_enabled", "true");
        return properties;
    }

    private static String explained(DirectoryNamespace catalog, ScanOptions scan, boolean verbose) {
        ExplainTableQueryPlanRequest request = new ExplainTableQueryPlanRequest();
        request.setId(List.of(NAME));
        request.setQuery(request(scan));
        request.setVerbose(verbose);
        return catalog.explainTableQueryPlan(request);
    }

    private static String analyzed(DirectoryNamespace catalog, ScanOptions scan) {
        QueryTableRequest query = request(scan);
        AnalyzeTableQueryPlanRequest request = new AnalyzeTableQueryPlanRequest();
        request.setId(List.of(NAME));
        request.setBypassVectorIndex(query.getBypassVectorIndex());
        request.setColumns(query.getColumns());
        request.setDistanceType(query.getDistanceType());
        request.setEf(query.getEf());
        request.setFilter(query.getFilter());
        request.setK(query.getK());
        request.setNprobes(query.getNprobes());
        request.setOffset(query.getOffset());
        request.setPrefilter(query.getPrefilter());
        request.setRefineFactor(query.getRefineFactor());
        request.setVector(query.getVector());
        request.setVectorColumn(query.getVectorColumn());
        request.setWithRowId(query.getWithRowId());
        request.setFastSearch(query.getFastSearch());
        return catalog.analyzeTableQueryPlan(request);
    }

    private static QueryTableRequest request(ScanOptions scan) {
        QueryTableRequest request = new QueryTableRequest();
        request.setId(List.of(NAME));
        QueryTableRequestColumns columns = new QueryTableRequestColumns();
        // What a search adds is there without being asked for, and unknown to the catalog before it.
        columns.setColumnNames(scan.getColumns().orElse(List.of()).stream()
                .filter(column -> !column.equals(OutputColumns.DISTANCE))
                .toList());
        request.setColumns(columns);
        scan.getFilter().ifPresent(request::setFilter);
        request.setPrefilter(scan.isPrefilter());
        request.setWithRowId(scan.isWithRowId());
        request.setK(number(scan.getLimit().orElse((long) Integer.MAX_VALUE)));
        scan.getOffset().filter(offset -> offset > 0).ifPresent(offset -> request.setOffset(number(offset)));
        request.setVector(new QueryTableRequestVector().singleVector(List.of()));
        scan.getNearest().ifPresent(nearest -> search(request, nearest));
        scan.getFragmentIds().ifPresent(ids -> request.setFastSearch(true));
        return request;
    }

    /** As in the scan itself, the nearest of all are fetched, and the skipped ones are among them. */
    private static void search(QueryTableRequest request, Query nearest) {
        List<Float> vector = new ArrayList<>(nearest.getKey().length);
        for (float value : nearest.getKey()) {
            vector.add(value);
        }
        request.setVector(new QueryTableRequestVector().singleVector(vector));
        request.setVectorColumn(nearest.getColumn());
        request.setK(nearest.getK());
        request.setNprobes(nearest.getMinimumNprobes());
        nearest.getEf().ifPresent(request::setEf);
        nearest.getRefineFactor().ifPresent(request::setRefineFactor);
        nearest.getDistanceType().map(ScanPlans::name).ifPresent(request::setDistanceType);
        request.setBypassVectorIndex(!nearest.isUseIndex());
    }

    private static String name(DistanceType type) {
        return type.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static int number(long value) {
        return (int) Math.min(value, Integer.MAX_VALUE);
    }
}
