package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.springframework.stereotype.Component;

/** Changes and deletes rows in place. Each edit is one commit; one that meets another writer begins again on the new version. */
@Component
public final class TableEditor {
    private static final int ATTEMPTS = 10;
    private static final long LONGEST_PAUSE_NANOS = 200_000_000L;

    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;

    public TableEditor(NativeRuntime runtime, NativeCalls calls, DatasetHandles handles) {
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
    }

    /**
     * Sets columns of the rows that match.
     *
     * @param predicate which rows; null for all
     * @param assignments the new value of each column, as an SQL expression over the row as it was
     * @throws CatalogException code 12 for an unknown column; code 13 for SQL that does not fit; code 14 when other writers kept
     *     coming first; code 19 for a table whose rows cannot be rewritten; code 22 for an unknown branch
     */
    public EditResult update(
            TableLocation location,
            @Nullable String branch,
            @Nullable String predicate,
            Map<String, String> assignments) {
        SqlText filter = predicate == null ? null : SqlText.of(predicate);
        RowUpdate.Assignments parsed = RowUpdate.Assignments.of(assignments);
        return calls.stream(() -> {
            for (int attempt = 1; ; attempt++) {
                try (DatasetLease lease = handles.open(location, TableVersion.ofBranch(branch))) {
                    return new RowUpdate(lease.dataset(), location, filter, parsed).run();
                } catch (Exception e) {
                    retryOnConflict(attempt, e);
                }
            }
        });
    }

    /**
     * Deletes the rows that match. Where none does, no version is made.
     *
     * @throws CatalogException as {@link #update}
     */
    public EditResult delete(TableLocation location, @Nullable String branch, String predicate) {
        SqlText filter = SqlText.of(predicate);
        return calls.stream(() -> {
            for (int attempt = 1; ; attempt++) {
                try (DatasetLease lease = handles.open(location, TableVersion.ofBranch(branch))) {
                    return delete(lease.dataset(), location, filter.forFilter());
                } catch (Exception e) {
                    retryOnConflict(attempt, e);
                }
            }
        });
    }

    private EditResult delete(Dataset shared, TableLocation location, String filter) {
        try {
            if (shared.countRows(filter) == 0) {
                return new EditResult(shared.version(), 0);
            }
            // The library moves the handle it deletes through, and the shared one belongs to every reader.
            try (Dataset own = open(shared.uri(), location)) {
                own.delete(filter);
                return new EditResult(own.version(), deletedBy(own));
            }
        } catch (RuntimeException e) {
            throw SqlErrors.translate(e, "The predicate");
        }
    }

    /** A version is one commit, so what it lacks of the version before it is what the commit has deleted. */
    private static long deletedBy(Dataset after) {
        try (Dataset before = after.checkoutVersion(after.version() - 1)) {
            return before.countRows() - after.countRows();
        }
    }

    private Dataset open(String uri, TableLocation location) {
        ReadOptions options = new ReadOptions.Builder()
                .setStorageOptions(location.storageOptions())
                .setSession(runtime.session())
                .build();
        return Dataset.open(runtime.allocator(), uri, options);
    }

    private static void retryOnConflict(int attempt, Exception failure) throws Exception {
        boolean conflict = failure instanceof CatalogException known
                ? known.code() == ErrorCode.CONCURRENT_MODIFICATION
                : NativeErrors.cause(failure) == NativeErrors.Cause.CONFLICT;
        if (!conflict || attempt == ATTEMPTS) {
            throw failure;
        }
        long most = Math.min(LONGEST_PAUSE_NANOS, 5_000_000L << attempt);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most / 4, most));
    }
}
