package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.ManifestSummary;
import org.springframework.stereotype.Component;

/** Tells what tables look like. */
@Component
public final class TableInspector {
    private final NativeCalls calls;
    private final DatasetHandles handles;

    public TableInspector(NativeCalls calls, DatasetHandles handles) {
        this.calls = calls;
        this.handles = handles;
    }

    /**
     * What a version says of itself, or nothing while the table is only declared.
     *
     * @throws CatalogException code 22 for an unknown branch, 11 for an unknown version
     */
    public Optional<TableFacts> inspect(TableLocation location, TableVersion wanted, SchemaDialect dialect) {
        Optional<DatasetLease> found = handles.find(location, wanted);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return calls.metadata(() -> {
            try (DatasetLease lease = found.get()) {
                Dataset dataset = lease.dataset();
                Schema schema = dataset.getSchema();
                return Optional.of(new TableFacts(
                        dataset.version(),
                        SchemaTree.of(schema, dialect),
                        Objects.requireNonNullElse(schema.getCustomMetadata(), Map.of())));
            }
        });
    }

    /**
     * How large a version is.
     *
     * @throws CatalogException code 22 for an unknown branch, 19 when the table is only declared
     */
    public TableStats stats(TableLocation location, TableVersion wanted) {
        return calls.metadata(() -> {
            try (DatasetLease lease = handles.open(location, wanted)) {
                Dataset dataset = lease.dataset();
                ManifestSummary summary = dataset.getVersion().getManifestSummary();
                List<Long> fragments = dataset.getFragments().stream()
                        .map(fragment -> fragment.metadata().getNumRows())
                        .sorted()
                        .toList();
                // Old writers did not note the sizes of their files.
                boolean known = summary.getTotalFilesSize() > 0 || fragments.isEmpty();
                return new TableStats(
                        known ? summary.getTotalFilesSize() : dataset.calculateDataSize(),
                        fragments.stream().mapToLong(Long::longValue).sum(),
                        dataset.describeIndices().size(),
                        fragments);
            }
        });
    }

    /** The latest version of the main branch, or nothing while the table is only declared. */
    public Optional<Long> version(TableLocation location) {
        return handles.find(location, TableVersion.LATEST).map(lease -> {
            try (lease) {
                return lease.dataset().version();
            }
        });
    }

    /**
     * The branch and version a tag holds.
     *
     * @throws CatalogException code 8 when the table has no such tag
     */
    public TableVersion tagged(TableLocation location, String tag) {
        return handles.find(location, TableVersion.LATEST)
                .flatMap(lease -> calls.metadata(() -> {
                    try (lease) {
                        return lease.dataset().tags().list().stream()
                                .filter(candidate -> candidate.getName().equals(tag))
                                .map(found -> new TableVersion(found.getBranch().orElse(null), found.getVersion()))
                                .findFirst();
                    }
                }))
                .orElseThrow(() ->
                        CatalogException.of(ErrorCode.TABLE_TAG_NOT_FOUND, "The table has no tag '" + tag + "'."));
    }
}
