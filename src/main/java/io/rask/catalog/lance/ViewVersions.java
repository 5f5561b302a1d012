package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.operation.CreateIndex;
import org.lance.operation.Operation;
import org.lance.operation.ReserveFragments;
import org.lance.operation.Rewrite;
import org.lance.operation.UpdateConfig;
import org.springframework.stereotype.Component;

/** What happened between two versions of a table, as far as a view must know. Whatever cannot be told counts as a change. */
@Component
public final class ViewVersions {
    private static final int LOOK_BACK = 1_000;

    private final NativeCalls calls;
    private final DatasetHandles handles;

    ViewVersions(NativeCalls calls, DatasetHandles handles) {
        this.calls = calls;
        this.handles = handles;
    }

    /** Whether the rows of the main branch are those of a version still: nothing came after it but indices, metadata, compactions. */
    public boolean unchanged(TableLocation table, long version) {
        return calls.metadata(() -> {
            try (DatasetLease lease = handles.open(table, TableVersion.LATEST)) {
                return unchanged(lease.dataset(), version);
            }
        });
    }

    static boolean unchanged(Dataset latest, long version) {
        long last = latest.version();
        if (version > last || last - version > LOOK_BACK) {
            return false;
        }
        for (long later = last; later > version; later--) {
            if (!keepsRows(latest, later)) {
                return false;
            }
        }
        return true;
    }

    private static boolean keepsRows(Dataset table, long version) {
        try (Dataset at = RowCommits.at(table, null, version)) {
            Optional<Transaction> made = at.readTransaction();
            if (made.isEmpty()) {
                return false;
            }
            try (Transaction transaction = made.get()) {
                Operation operation = transaction.operation();
                return operation instanceof UpdateConfig
                        || operation instanceof CreateIndex
                        || operation instanceof Rewrite
                        || operation instanceof ReserveFragments;
            }
        } catch (Exception e) {
            // A version that was removed, or an operation that only newer libraries know.
            if (NativeErrors.cause(e) == NativeErrors.Cause.STORE_UNREACHABLE) {
                throw NativeErrors.translate(e);
            }
            return false;
        }
    }

    /**
     * The fragments that a later version of the main branch has more than an earlier one, if that is all the difference: every
     * fragment of the earlier one is there as it was, with the same columns, and not others of the same names.
     */
    public Optional<List<Integer>> added(TableLocation table, long earlier, long later) {
        return calls.metadata(() -> {
            try (DatasetLease before = handles.open(table, new TableVersion(null, earlier));
                    DatasetLease after = handles.open(table, new TableVersion(null, later))) {
                return before.schema().getFields().equals(after.schema().getFields())
                                && ColumnIds.known(before.dataset()).equals(ColumnIds.known(after.dataset()))
                        ? added(fragments(before.dataset()), fragments(after.dataset()))
                        : Optional.empty();
            } catch (CatalogException e) {
                if (e.code() == ErrorCode.TABLE_VERSION_NOT_FOUND) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    private static Optional<List<Integer>> added(
            Map<Integer, FragmentMetadata> before, Map<Integer, FragmentMetadata> after) {
        for (Map.Entry<Integer, FragmentMetadata> old : before.entrySet()) {
            if (!old.getValue().equals(after.remove(old.getKey()))) {
                return Optional.empty();
            }
        }
        return Optional.of(new ArrayList<>(after.keySet()));
    }

    private static Map<Integer, FragmentMetadata> fragments(Dataset table) {
        Map<Integer, FragmentMetadata> fragments = new HashMap<>();
        for (Fragment fragment : table.getFragments()) {
            fragments.put(fragment.getId(), fragment.metadata());
        }
        return fragments;
    }
}
