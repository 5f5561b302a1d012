package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.ManifestSummary;
import org.lance.ReadOptions;
import org.lance.fragment.DataFile;
import org.springframework.stereotype.Component;

/** Tells what tables look like. */
@Component
public final class TableInspector {
    /** The oldest format of data files that is taken over. */
    private static final int FORMAT = 2;

    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;

    public TableInspector(NativeRuntime runtime, NativeCalls calls, DatasetHandles handles) {
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
    }

    /**
     * What a version says of itself, or nothing while the table is only declared.
     *
     * @throws CatalogException code 22 for an unknown branch, 11 for an unknown version
     */
    public Optional<TableFacts> inspect(TableLocation location, TableVersion wanted, SchemaDialect dialect) {
        return calls.metadata(() -> {
            Optional<DatasetLease> found = handles.find(location, wanted);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            try (DatasetLease lease = found.get()) {
                return Optional.of(lease.facts(dialect, dataset -> facts(dataset, dialect)));
            }
        });
    }

    private static TableFacts facts(Dataset dataset, SchemaDialect dialect) {
        Schema schema = dataset.getSchema();
        ManifestSummary summary = dataset.getVersion().getManifestSummary();
        return new TableFacts(
                dataset.version(),
                SchemaTree.of(schema, dialect),
                Objects.requireNonNullElse(schema.getCustomMetadata(), Map.of()),
                summary.getTotalFragments(),
                summary.getTotalDeletionFileRows());
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

    /** The transaction of the last overwrite of the main branch that {@link TableWriter#overwrite} announced and that happened. */
    public Optional<String> overwrittenBy(TableLocation location) {
        return calls.metadata(() -> handles.find(location, TableVersion.LATEST).flatMap(lease -> {
            try (lease) {
                return Optional.ofNullable(lease.dataset().getConfig().get(Overwriting.CONFIG));
            }
        }));
    }

    /** The tags of a table, and the places where its branches began; none while the table is only declared. */
    public List<TablePin> pins(TableLocation location) {
        return calls.metadata(() -> handles.find(location, TableVersion.LATEST)
                .map(lease -> {
                    try (lease) {
                        List<TablePin> pins = new ArrayList<>();
                        RefLists.tags(lease.dataset())
                                .forEach(tag -> pins.add(new TablePin(
                                        TablePin.Kind.TAG,
                                        tag.getName(),
                                        tag.getBranch().orElse(null),
                                        tag.getVersion())));
                        RefLists.branches(lease.dataset())
                                .forEach(branch -> pins.add(new TablePin(
                                        TablePin.Kind.BRANCH,
                                        branch.getName(),
                                        branch.getParentBranch().orElse(null),
                                        branch.getParentVersion())));
                        return pins;
                    }
                })
                .orElse(List.of()));
    }

    /**
     * Looks whether there is a dataset at a place that no table of the catalog uses, and whether all of its files are of one
     * format this server reads and writes. Nothing of it stays open.
     *
     * @throws CatalogException code 13 when there is none or it cannot be read; code 19 when its files are of several formats or
     *     of an old one
     */
    public void requireRegistrable(TableLocation location) {
        handles.invalidate(location.uri());
        calls.metadata(() -> {
            try (Dataset dataset = open(location)) {
                for (Fragment fragment : dataset.getFragments()) {
                    fragment.metadata().getFiles().forEach(file -> requireFormat(dataset, file));
                }
                return true;
            }
        });
    }

    private Dataset open(TableLocation location) {
        try {
            ReadOptions options = new ReadOptions.Builder()
                    .setStorageOptions(location.storageOptions())
                    .build();
            return Dataset.open()
                    .allocator(runtime.allocator())
                    .uri(location.uri())
                    .readOptions(options)
                    .build();
        } catch (Exception e) {
            if (NativeErrors.isNoDataset(e)) {
                throw CatalogException.invalid("There is no Lance dataset at the location.");
            }
            NativeErrors.Cause cause = NativeErrors.cause(e);
            if (cause == NativeErrors.Cause.STORE_UNREACHABLE || cause == NativeErrors.Cause.STORE_DENIES) {
                throw NativeErrors.translate(e);
            }
            throw CatalogException.of(
                    ErrorCode.INVALID_INPUT,
                    "What lies at the location cannot be read as a Lance dataset: it is damaged, or a newer version wrote"
                            + " it.",
                    e);
        }
    }

    private static void requireFormat(Dataset dataset, DataFile file) {
        String version = file.getFileMajorVersion() + "." + file.getFileMinorVersion();
        if (file.getFileMajorVersion() < FORMAT || !version.equals(dataset.getLanceFileFormatVersion())) {
            throw CatalogException.of(
                    ErrorCode.INVALID_TABLE_STATE,
                    "The dataset holds files of the format " + version + " beside the format "
                            + dataset.getLanceFileFormatVersion()
                            + "; this catalog takes datasets of one format from 2.0 on. Rewrite it first.");
        }
    }

    /**
     * The branch and version a tag holds.
     *
     * @throws CatalogException code 8 when the table has no such tag
     */
    public TableVersion tagged(TableLocation location, String tag) {
        return calls.metadata(() -> handles.find(location, TableVersion.LATEST).flatMap(lease -> {
                    try (lease) {
                        return RefLists.tags(lease.dataset()).stream()
                                .filter(candidate -> candidate.getName().equals(tag))
                                .map(found -> new TableVersion(found.getBranch().orElse(null), found.getVersion()))
                                .findFirst();
                    }
                }))
                .orElseThrow(() -> TableTags.absent(tag));
    }
}
