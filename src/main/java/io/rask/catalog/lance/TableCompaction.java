package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.ReadOptions;
import org.lance.compaction.Compaction;
import org.lance.compaction.CompactionOptions;
import org.lance.compaction.CompactionTask;
import org.lance.compaction.RewriteResult;
import org.springframework.stereotype.Component;

/**
 * Writes the rows of many small fragments into few, in steps: plan, rewrite one group after the other into files nobody sees, commit.
 * The library commits a compaction itself, because only it can carry the indices over, and gives that commit no name of ours. But the
 * new files have names nobody else uses, so the versions of the table tell by them whether a commit happened.
 */
@Component
public final class TableCompaction {
    private static final int LOOK_BACK = 1_000;

    private final NativeRuntime runtime;
    private final NativeCalls calls;

    public TableCompaction(NativeRuntime runtime, NativeCalls calls) {
        this.runtime = runtime;
        this.calls = calls;
    }

    /**
     * What a compaction did.
     *
     * @param version the version that holds it; the latest one when there was nothing to do
     */
    public record Outcome(long version, long fragmentsBefore, long fragmentsAfter) {}

    /**
     * Plans a compaction of the latest version of the main branch.
     *
     * @param targetRows how many rows a fragment should have; null for the library's own choice
     * @throws CatalogException code 19 when the table holds no data; code 0 when it cannot be compacted
     */
    public Run plan(TableLocation location, @Nullable Long targetRows) {
        return calls.stream(() -> {
            Dataset table = open(location, TableLocation.repeating(location.storageOptions()));
            try {
                refuseBlobs(table.getSchema().getFields());
                CompactionOptions.Builder options = CompactionOptions.builder();
                if (targetRows != null) {
                    options.withTargetRowsPerFragment(targetRows);
                }
                CompactionOptions built = options.build();
                List<CompactionTask> tasks =
                        Compaction.planCompaction(table, built).getCompactionTasks();
                return new Run(
                        location, table, built, tasks, table.getFragments().size());
            } catch (Exception e) {
                table.close();
                throw refused(e);
            }
        });
    }

    /**
     * Looks for the commit of a compaction among the versions after the one it was planned on.
     *
     * @param files names of data files that only that compaction wrote
     * @return what it did, if it was committed
     */
    public Optional<Outcome> committed(TableLocation location, long plannedOn, Set<String> files) {
        return calls.stream(() -> {
            try (Dataset table = open(location, location.storageOptions())) {
                long latest = table.version();
                for (long version = Math.max(plannedOn + 1, latest - LOOK_BACK); version <= latest; version++) {
                    try (Dataset at = table.checkoutVersion(version)) {
                        if (!files.isEmpty() && files(at).containsAll(files)) {
                            return Optional.of(new Outcome(
                                    version,
                                    fragments(table, plannedOn),
                                    at.getFragments().size()));
                        }
                    } catch (Exception e) {
                        // A version that was cleaned up cannot be looked at; a later one may still hold the files.
                        if (NativeErrors.cause(e) != NativeErrors.Cause.ABSENT) {
                            throw e;
                        }
                    }
                }
                return Optional.empty();
            }
        });
    }

    private static long fragments(Dataset table, long version) {
        try (Dataset at = table.checkoutVersion(version)) {
            return at.getFragments().size();
        } catch (Exception e) {
            if (NativeErrors.cause(e) == NativeErrors.Cause.ABSENT) {
                return -1;
            }
            throw e;
        }
    }

    private static Set<String> files(Dataset table) {
        Set<String> files = new HashSet<>();
        for (Fragment fragment : table.getFragments()) {
            fragment.metadata().getFiles().forEach(file -> files.add(file.getPath()));
        }
        return files;
    }

    /** A compaction under way. Not to be shared between threads. */
    public final class Run implements AutoCloseable {
        private final TableLocation location;
        private final Dataset table;
        private final CompactionOptions options;
        private final List<CompactionTask> tasks;
        private final List<RewriteResult> results = new ArrayList<>();
        private final long before;

        private Run(
                TableLocation location,
                Dataset table,
                CompactionOptions options,
                List<CompactionTask> tasks,
                long before) {
            this.location = location;
            this.table = table;
            this.options = options;
            this.tasks = tasks;
            this.before = before;
        }

        /** How many groups of fragments are to be rewritten; with none there is nothing to commit. */
        public int tasks() {
            return tasks.size();
        }

        /** The version it was planned on. */
        public long plannedOn() {
            return table.version();
        }

        /** The outcome when there was nothing to do: no new version. */
        public Outcome nothing() {
            return new Outcome(table.version(), before, before);
        }

        /** Rewrites one group; nobody sees the result yet. */
        public void rewrite(int task) {
            calls.stream(() -> {
                try {
                    return results.add(tasks.get(task).execute(table));
                } catch (Exception e) {
                    throw refused(e);
                }
            });
        }

        /** The names of the new data files, one for each group: no other commit ever has them. */
        public Set<String> marks() {
            Set<String> marks = new HashSet<>();
            results.forEach(result -> result.getNewFragments().stream()
                    .limit(1)
                    .flatMap(fragment -> fragment.getFiles().stream().limit(1))
                    .forEach(file -> marks.add(file.getPath())));
            return marks;
        }

        /**
         * Makes the new fragments the table's.
         *
         * @throws CatalogException code 14 when another writer changed the same rows: all is to be done anew; code 17 when it is not
         *     known whether it happened, which {@link TableCompaction#committed} may tell
         */
        public Outcome commit() {
            return calls.stream(() -> {
                // Requests of a commit are never repeated, so it goes through a dataset of its own.
                try (Dataset target = open(location, location.storageOptions())) {
                    Compaction.commitCompaction(target, results, options);
                    target.checkoutLatest();
                    return new Outcome(
                            target.version(), before, target.getFragments().size());
                } catch (Exception e) {
                    throw NativeErrors.cause(e) == NativeErrors.Cause.STORE_UNREACHABLE
                            ? NativeErrors.unknownOutcome(e)
                            : refused(e);
                }
            });
        }

        @Override
        public void close() {
            table.close();
        }
    }

    private Dataset open(TableLocation location, Map<String, String> options) {
        try {
            return Dataset.open()
                    .allocator(runtime.allocator())
                    .uri(location.uri())
                    .readOptions(
                            new ReadOptions.Builder().setStorageOptions(options).build())
                    .session(runtime.session())
                    .build();
        } catch (Exception e) {
            if (NativeErrors.isNoDataset(e)) {
                throw CatalogException.of(
                        ErrorCode.INVALID_TABLE_STATE, "The table holds no data, so there is nothing to compact.", e);
            }
            throw refused(e);
        }
    }

    /** The library cannot rewrite them: it loses count of their columns. */
    private static void refuseBlobs(List<Field> fields) {
        for (Field field : fields) {
            if (Blobs.isOfSecondKind(field)) {
                throw CatalogException.of(
                        ErrorCode.UNSUPPORTED,
                        "The table has a blob column '" + field.getName()
                                + "' of the second kind, which cannot be compacted.");
            }
            refuseBlobs(field.getChildren());
        }
    }

    private static CatalogException refused(Exception failure) {
        String text = NativeErrors.text(failure);
        if (NativeErrors.cause(failure) == NativeErrors.Cause.ABSENT && text.contains(".manifest")) {
            return CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION,
                    "The version that was to be compacted has been taken back or removed meanwhile; try again.",
                    failure);
        }
        if (text.contains("cannot be read by this version") || text.contains("cannot be written by this version")) {
            return CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "The table uses features this server does not know, so it is left alone.",
                    failure);
        }
        return NativeErrors.translate(failure);
    }
}
