package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.lance.index.IndexDescription;
import org.lance.ipc.ColumnOrdering;
import org.lance.ipc.FullTextQuery;
import org.lance.ipc.Query;
import org.lance.ipc.ScanOptions;

/**
 * The plan of a scan that the library carries out without telling how: the steps it is asked for, read from the very options it is
 * given, the last step first.
 */
final class SearchPlan {
    private final TableIndices indices;
    private final ScanOptions scan;

    SearchPlan(TableIndices indices, ScanOptions scan) {
        this.indices = indices;
        this.scan = scan;
    }

    List<String> steps() {
        List<String> steps = new ArrayList<>();
        steps.add("LanceScan: projection=" + scan.getColumns().orElse(List.of()));
        scan.getLimit()
                .ifPresent(limit -> steps.add("Limit: skip=" + scan.getOffset().orElse(0L) + ", fetch=" + limit));
        List<ColumnOrdering> order = scan.getColumnOrderings().orElse(List.of());
        if (!order.isEmpty()) {
            steps.add("Sort: " + order.stream().map(SearchPlan::key).toList());
        }
        String filter = scan.getFilter().orElse(null);
        if (filter != null && !scan.isPrefilter()) {
            steps.add("Filter: " + filter);
        }
        scan.getNearest().ifPresent(nearest -> steps.add(vectors(nearest)));
        scan.getFullTextQuery().ifPresent(query -> steps.add(words(query)));
        scan.getFragmentIds().ifPresent(ids -> steps.add("IndexedFragments: " + ids));
        if (filter != null && scan.isPrefilter()) {
            steps.add("Prefilter: " + filter);
        }
        return steps;
    }

    /** Whether the filter comes before the search, so that there is a plan of its own below the steps. */
    boolean hasPrefilter() {
        return scan.isPrefilter() && scan.getFilter().isPresent();
    }

    private static String key(ColumnOrdering key) {
        return key.getColumnName()
                + (key.isAscending() ? " ASC" : " DESC")
                + (key.isNullFirst() ? " NULLS FIRST" : " NULLS LAST");
    }

    private String vectors(Query nearest) {
        String metric = nearest.getDistanceType()
                .map(type -> type.name().toLowerCase(Locale.ROOT))
                .orElse("");
        List<String> used =
                nearest.isUseIndex() ? indices.names(List.of(nearest.getColumn()), isVectorIndexOf(metric)) : List.of();
        StringBuilder text = new StringBuilder("VectorSearch: column=" + nearest.getColumn());
        text.append(used.isEmpty() ? ", every row compared" : ", indices=" + used);
        text.append(metric.isEmpty() ? "" : ", metric=" + metric).append(", k=").append(nearest.getK());
        if (!used.isEmpty()) {
            text.append(", minimum_nprobes=").append(nearest.getMinimumNprobes());
            nearest.getMaximumNprobes()
                    .ifPresent(most -> text.append(", maximum_nprobes=").append(most));
            nearest.getEf().ifPresent(effort -> text.append(", ef=").append(effort));
            nearest.getRefineFactor()
                    .ifPresent(factor -> text.append(", refine_factor=").append(factor));
        }
        return text.toString();
    }

    /** An index of another metric than the one asked for is left aside by the library. */
    private static Predicate<IndexDescription> isVectorIndexOf(String metric) {
        return index -> TableIndices.isVector(index)
                && (metric.isEmpty()
                        || index.getDetailsJson()
                                .toLowerCase(Locale.ROOT)
                                .contains("\"metric_type\":\"" + metric + "\""));
    }

    private String words(FullTextQuery query) {
        return "FullTextSearch: indices=" + indices.names(TextQueryText.columns(query), TableIndices::isText)
                + scan.getLimit()
                        .map(limit -> ", fetch=" + (limit + scan.getOffset().orElse(0L)))
                        .orElse("")
                + ", query=" + TextQueryText.of(query);
    }
}
