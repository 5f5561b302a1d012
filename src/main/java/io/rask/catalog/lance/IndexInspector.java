package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.WireJson;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.index.Index;
import org.lance.index.IndexDescription;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tells which indices tables have. An index that is being made is none yet. */
@Component
public final class IndexInspector {
    private static final JsonMapper JSON = WireJson.mapper();

    private final NativeCalls calls;
    private final DatasetHandles handles;

    IndexInspector(NativeCalls calls, DatasetHandles handles) {
        this.calls = calls;
        this.handles = handles;
    }

    /**
     * The indices of a version, in no order; none while the table is only declared.
     *
     * @throws CatalogException code 22 for an unknown branch, 11 for an unknown version
     */
    public List<TableIndex> list(TableLocation location, TableVersion wanted) {
        return calls.metadata(() -> {
            Optional<DatasetLease> found = handles.find(location, wanted);
            if (found.isEmpty()) {
                requireNothingElse(wanted);
                return List.of();
            }
            try (DatasetLease lease = found.get()) {
                return all(lease.dataset());
            }
        });
    }

    /** The index of a name, if the version has one; throws as {@link #list}. */
    public Optional<TableIndex> find(TableLocation location, TableVersion wanted, String name) {
        return list(location, wanted).stream()
                .filter(index -> index.name().equals(name))
                .findFirst();
    }

    /** A table that is only declared has a latest version of its main branch, with nothing in it, and nothing else. */
    static void requireNothingElse(TableVersion wanted) {
        if (!wanted.equals(TableVersion.LATEST)) {
            throw DatasetHandles.noData(wanted);
        }
    }

    /** Code 6. */
    public static CatalogException absent(String name) {
        return CatalogException.of(ErrorCode.TABLE_INDEX_NOT_FOUND, "The table has no index '" + name + "'.");
    }

    private static List<TableIndex> all(Dataset dataset) {
        TableIndices indices = new TableIndices(dataset);
        Map<Integer, FieldPath> paths = indices.paths();
        Map<Integer, Long> rows = rows(dataset);
        return indices.all().stream().map(index -> told(index, paths, rows)).toList();
    }

    /** The rows that are there, by fragment. */
    private static Map<Integer, Long> rows(Dataset dataset) {
        Map<Integer, Long> rows = new HashMap<>();
        for (Fragment fragment : dataset.getFragments()) {
            rows.put(fragment.getId(), fragment.metadata().getNumRows());
        }
        return rows;
    }

    private static TableIndex told(IndexDescription index, Map<Integer, FieldPath> paths, Map<Integer, Long> rows) {
        List<Index> segments = index.getSegments();
        long all = rows.values().stream().mapToLong(Long::longValue).sum();
        long indexed = covered(segments, rows.keySet()).stream()
                .mapToLong(fragment -> rows.getOrDefault(fragment, 0L))
                .sum();
        String details = index.getDetailsJson();
        return new TableIndex(
                index.getName(),
                index.getFieldIds().stream()
                        .map(paths::get)
                        .filter(Objects::nonNull)
                        .map(FieldPath::canonical)
                        .toList(),
                IndexKind.wireName(index.getIndexType()),
                index.getTypeUrl(),
                indexed,
                all - indexed,
                segments.stream()
                        .map(segment -> new TableIndex.Segment(
                                segment.uuid().toString(), segment.baseId().isPresent()))
                        .toList(),
                createdAt(segments).orElse(null),
                segments.stream().mapToInt(Index::indexVersion).max().orElse(0),
                details,
                metric(details));
    }

    /** The fragments that some segment covers; a segment that does not say covers all. */
    private static Set<Integer> covered(List<Index> segments, Set<Integer> all) {
        Set<Integer> covered = new HashSet<>();
        for (Index segment : segments) {
            covered.addAll(segment.fragments()
                    .<Collection<Integer>>map(fragments -> fragments)
                    .orElse(all));
        }
        return covered;
    }

    private static Optional<Instant> createdAt(List<Index> segments) {
        return segments.stream()
                .flatMap(segment -> segment.createdAt().stream())
                .min(Comparator.naturalOrder());
    }

    private static @Nullable String metric(@Nullable String details) {
        if (details == null) {
            return null;
        }
        try {
            JsonNode metric = JSON.readTree(details).path("metric_type");
            return metric.isString() ? metric.asString().toLowerCase(Locale.ROOT) : null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
