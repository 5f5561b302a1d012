package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.lance.arrow.IpcLimits;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.WriteParams.WriteMode;
import org.lance.operation.Update;
import org.lance.operation.Update.UpdateMode;
import org.springframework.stereotype.Component;

/** Changes and removes rows in place, each time in one commit. */
@Component
public final class TableEditor {
    private static final int ATTEMPTS = 20;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final RowCommits commits;
    private final IpcLimits limits;

    TableEditor(
            NativeRuntime runtime,
            NativeCalls calls,
            DatasetHandles handles,
            RowCommits commits,
            CatalogProperties properties) {
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
        this.commits = commits;
        this.limits = IpcLimits.ofBatch(properties.limits().arrowBatch().toBytes());
    }

    /**
     * Removes the rows a predicate holds for. When it holds for none, the table gets no new version.
     *
     * @param branch null or {@code main} for the main branch
     * @throws CatalogException code 13 or 12 when the predicate is wrong, 22 for an unknown branch, 19 when the table is only
     *     declared, 14 when other writers were faster each time
     */
    public EditResult delete(TableLocation location, @Nullable String branch, String predicate) {
        String filter = SqlText.of(predicate).forFilter();
        TableVersion target = TableVersion.ofBranch(branch);
        return calls.stream(() -> {
            try (DatasetLease lease = handles.open(location, target)) {
                Dataset latest = lease.dataset();
                if (latest.countRows(filter) == 0) {
                    return new EditResult(latest.version(), 0);
                }
                try (Dataset own = RowCommits.at(latest, target.branch(), latest.version())) {
                    EditResult done = delete(own, target.branch(), filter);
                    handles.requireAhead(location, target, done.version());
                    return done;
                }
            } catch (Exception e) {
                throw SqlErrors.translate(e, "The predicate");
            }
        });
    }

    private static EditResult delete(Dataset dataset, @Nullable String branch, String filter) throws Exception {
        try {
            dataset.delete(filter);
            return new EditResult(dataset.version(), removed(dataset, branch));
        } catch (Exception e) {
            // The library throws more than it declares.
            throw NativeErrors.cause(e) == NativeErrors.Cause.STORE_UNREACHABLE ? NativeErrors.unknownOutcome(e) : e;
        }
    }

    /** The rows the last commit removed: it may have been rebased on others, so only the version before it tells. */
    private static long removed(Dataset after, @Nullable String branch) {
        try (Dataset before = RowCommits.at(after, branch, after.version() - 1)) {
            return before.countRows() - after.countRows();
        }
    }

    /**
     * Gives columns new values in the rows a predicate holds for. All expressions see the row as it was. When the predicate holds
     * for no row, the table gets no new version.
     *
     * @param branch null or {@code main} for the main branch
     * @param predicate null for all rows
     * @param assignments a SQL expression for each column, or field inside one
     * @throws CatalogException code 13 or 12 when an expression is wrong or a value does not fit its column, 22 for an unknown
     *     branch, 19 when the table is only declared, 14 when other writers were faster each time, 0 for a table whose rows
     *     cannot be rewritten
     */
    public EditResult update(
            TableLocation location,
            @Nullable String branch,
            @Nullable String predicate,
            Map<String, String> assignments) {
        SqlText filter = predicate == null ? null : SqlText.of(predicate);
        TableVersion target = TableVersion.ofBranch(branch);
        return calls.stream(() -> {
            for (int attempt = 1; ; attempt++) {
                try (DatasetLease lease = handles.open(location, target)) {
                    return update(location, target, lease.dataset(), filter, assignments);
                } catch (CatalogException e) {
                    if (e.code() != ErrorCode.CONCURRENT_MODIFICATION || attempt == ATTEMPTS) {
                        throw e;
                    }
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
                }
            }
        });
    }

    private EditResult update(
            TableLocation location,
            TableVersion target,
            Dataset dataset,
            @Nullable SqlText filter,
            Map<String, String> assignments) {
        Schema schema = dataset.getSchema();
        if (ColumnIds.mayHoldDictionaries(dataset)) {
            throw UpdatePlan.notRewritable("dictionary-encoded values");
        }
        UpdatePlan plan = UpdatePlan.of(schema, assignments, filter);
        try {
            long matching = filter == null ? dataset.countRows() : dataset.countRows(filter.forFilter());
            if (matching == 0) {
                return new EditResult(dataset.version(), 0);
            }
            return rewrite(location, target, dataset, schema, plan, matching);
        } catch (Exception e) {
            throw SqlErrors.translate(e, "The update");
        }
    }

    private EditResult rewrite(
            TableLocation location, TableVersion target, Dataset dataset, Schema schema, UpdatePlan plan, long matching)
            throws Exception {
        ArrowReader selected = dataset.sql(plan.select()).withRowAddr(true).intoBatchRecords();
        try (AddressedReader rows = new AddressedReader(selected, runtime.allocator())) {
            List<FragmentMetadata> written = write(location, dataset, schema, rows);
            if (rows.repeated() || rows.count() != matching) {
                throw CatalogException.invalid(
                        "The predicate does not select the same rows each time it is evaluated.");
            }
            return commit(location, target, dataset, written, rows);
        }
    }

    private List<FragmentMetadata> write(TableLocation location, Dataset dataset, Schema schema, AddressedReader rows)
            throws Exception {
        Set<String> extra = Set.of(UpdatePlan.ADDRESS, UpdatePlan.ANCHOR);
        try (FittedReader fitted = FittedReader.toTable(rows, extra, schema, runtime.allocator(), limits)) {
            return commits.files(location, dataset, WriteMode.APPEND, fitted);
        }
    }

    /** Takes the old rows out and the new ones in, in one step; other writers of the same rows make it fail. */
    private EditResult commit(
            TableLocation location,
            TableVersion target,
            Dataset dataset,
            List<FragmentMetadata> written,
            AddressedReader rows)
            throws Exception {
        List<FragmentMetadata> changed = new ArrayList<>();
        List<Long> emptied = new ArrayList<>();
        for (Map.Entry<Integer, BitSet> entry : rows.offsets().entrySet()) {
            Fragment fragment = dataset.getFragment(entry.getKey());
            List<Integer> offsets = entry.getValue().stream().boxed().toList();
            requireWithin(fragment, entry.getValue());
            FragmentMetadata left = fragment.deleteRows(offsets);
            if (left == null) {
                emptied.add((long) fragment.getId());
            } else {
                changed.add(left);
            }
        }
        Update operation = Update.builder()
                .updatedFragments(changed)
                .removedFragmentIds(emptied)
                .newFragments(written)
                .updateMode(Optional.of(UpdateMode.RewriteRows))
                .build();
        return new EditResult(commits.commit(dataset, location, target, operation), rows.count());
    }

    /** An offset beyond the fragment would make it unreadable for ever, and the library does not look. */
    private static void requireWithin(Fragment fragment, BitSet offsets) {
        if (offsets.length() > fragment.metadata().getPhysicalRows()) {
            throw new IllegalStateException("a row address lies outside its fragment");
        }
    }
}
