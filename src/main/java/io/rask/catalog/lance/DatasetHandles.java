package io.rask.catalog.lance;

import io.rask.catalog.platform.Coalescer;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lance.Branch.BranchVersionMapping;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.Ref;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The open tables of the process. The latest version of a branch is kept open and checked on each use; numbered versions never
 * change and are kept as they are. Both are bounded, and what is pushed out is closed when its last user has left. A branch that
 * was deleted and made again has its old name and maybe its old numbers, so a branch is kept by what tells it from its namesakes.
 */
@Component
public final class DatasetHandles implements DisposableBean {
    private static final int LATEST = 1_000;
    private static final int NUMBERED = 256;

    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DeletedVersions deleted;
    private final Map<BranchKey, Branch> branches = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<VersionKey, SharedDataset> versions = new LinkedHashMap<>(16, 0.75f, true);

    /** @param identity what tells the branch from others that had its name; empty for the main branch */
    private record BranchKey(
            TableLocation location, @Nullable String branch, String identity) {
        static BranchKey main(TableLocation location) {
            return new BranchKey(location, null, "");
        }
    }

    private record VersionKey(BranchKey branch, long version) {
        TableLocation location() {
            return branch.location();
        }
    }

    /** The latest version of one branch, as far as it is known. */
    private static final class Branch {
        private final Coalescer<Optional<SharedDataset>> check;
        private volatile @Nullable SharedDataset current;

        Branch(DatasetHandles handles, BranchKey key) {
            this.check = new Coalescer<>(() -> handles.refreshed(this, key));
        }
    }

    public DatasetHandles(NativeRuntime runtime, NativeCalls calls, DeletedVersions deleted) {
        this.runtime = runtime;
        this.calls = calls;
        this.deleted = deleted;
    }

    /**
     * Opens a version of a table, or nothing when the table is declared but holds no data yet.
     *
     * @throws CatalogException code 22 for an unknown branch, 11 for an unknown version, 17 when the store does not answer
     */
    Optional<DatasetLease> find(TableLocation location, TableVersion wanted) {
        if (!wanted.hasLegalBranch()) {
            throw noBranch(wanted.branch());
        }
        return calls.metadata(() -> {
            String branch = wanted.branch();
            Optional<BranchKey> key =
                    branch == null ? Optional.of(BranchKey.main(location)) : branchKey(location, branch);
            if (key.isEmpty()) {
                return Optional.empty();
            }
            return wanted.number().isPresent()
                    ? numbered(key.get(), wanted.number().getAsLong())
                    : latest(key.get());
        });
    }

    /** The branch of that name as it is now, or nothing when the table is only declared. */
    private Optional<BranchKey> branchKey(TableLocation location, String branch) {
        return latest(BranchKey.main(location)).map(lease -> {
            try (lease) {
                return lease.dataset().branches().list().stream()
                        .filter(found -> found.getName().equals(branch))
                        .findFirst()
                        .map(found -> new BranchKey(location, branch, identity(found)))
                        .orElseThrow(() -> noBranch(branch));
            }
        });
    }

    /** Old writers gave their branches no id of their own; then the moment of their making has to do. */
    private static String identity(org.lance.Branch branch) {
        List<BranchVersionMapping> lineage = branch.getBranchIdentifier();
        return branch.getCreateAt() + "-" + branch.getParentVersion()
                + (lineage.isEmpty() ? "" : "-" + lineage.getLast().getUuid());
    }

    /**
     * To be called with the version that a commit has made: a commit that stalled may have got the number of a version that was
     * deleted meanwhile, behind the latest, where nobody sees it.
     *
     * @throws CatalogException code 14 when that happened; the change has not
     */
    void requireAhead(TableLocation location, TableVersion branch, long made) {
        if (deleted.of(location, branch.branch()).contains(made)) {
            throw CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION,
                    "The change took so long that others have overtaken it, and it did not happen; try again.");
        }
    }

    /**
     * Opens a version of a table that must hold data.
     *
     * @throws CatalogException as {@link #find}, and code 19 when the table is only declared
     */
    DatasetLease open(TableLocation location, TableVersion wanted) {
        return find(location, wanted).orElseThrow(DatasetHandles::onlyDeclared);
    }

    private static CatalogException onlyDeclared() {
        return CatalogException.of(
                ErrorCode.INVALID_TABLE_STATE,
                "The table is declared but holds no data yet; insert rows to create it.");
    }

    /** Forgets what is open at a location, for instance after a drop. Running users finish undisturbed. */
    public void invalidate(String uri) {
        List<SharedDataset> retired = new ArrayList<>();
        synchronized (this) {
            branches.entrySet().removeIf(entry -> {
                boolean match = entry.getKey().location().uri().equals(uri);
                SharedDataset current = entry.getValue().current;
                if (match && current != null) {
                    retired.add(current);
                }
                return match;
            });
            versions.entrySet().removeIf(entry -> {
                boolean match = entry.getKey().location().uri().equals(uri);
                if (match) {
                    retired.add(entry.getValue());
                }
                return match;
            });
        }
        retired.forEach(SharedDataset::retire);
    }

    /** How many versions are kept open. */
    synchronized int open() {
        return branches.size() + versions.size();
    }

    private Optional<DatasetLease> latest(BranchKey key) {
        while (true) {
            Branch branch = branch(key);
            Optional<DatasetLease> unmoved = key.location().isFolder() ? unmoved(branch) : Optional.empty();
            if (unmoved.isPresent()) {
                return unmoved;
            }
            Optional<SharedDataset> shared = branch.check.fresh();
            if (shared.isEmpty()) {
                return Optional.empty();
            }
            if (shared.get().enter()) {
                closeAfterUseUnlessKept(key, branch, shared.get());
                return shared.map(DatasetLease::new);
            }
            forget(key, branch);
        }
    }

    /** What is open, if it is the latest still. In a folder a look of one's own costs less than to wait for a shared one. */
    private static Optional<DatasetLease> unmoved(Branch branch) {
        SharedDataset known = branch.current;
        if (known == null || !known.enter()) {
            return Optional.empty();
        }
        boolean latest = false;
        try {
            latest = isLatest(known);
        } finally {
            if (!latest) {
                known.leave();
            }
        }
        return latest ? Optional.of(new DatasetLease(known)) : Optional.empty();
    }

    /** A branch may have been pushed out or invalidated while it was being opened; then nobody else would close it. */
    private synchronized void closeAfterUseUnlessKept(BranchKey key, Branch branch, SharedDataset opened) {
        if (branches.get(key) != branch) {
            opened.retire();
        }
    }

    private synchronized Branch branch(BranchKey key) {
        Branch branch = branches.computeIfAbsent(key, wanted -> new Branch(this, wanted));
        if (branches.size() > LATEST) {
            BranchKey eldest = branches.keySet().iterator().next();
            Branch evicted = branches.remove(eldest);
            if (evicted != null && evicted.current != null) {
                evicted.current.retire();
            }
        }
        return branch;
    }

    private synchronized void forget(BranchKey key, Branch branch) {
        branches.remove(key, branch);
    }

    /** Runs in one thread at a time for each branch. */
    private Optional<SharedDataset> refreshed(Branch branch, BranchKey key) {
        SharedDataset known = branch.current;
        if (known != null && known.enter()) {
            try {
                if (isLatest(known)) {
                    return Optional.of(known);
                }
            } finally {
                known.leave();
            }
        }
        Optional<SharedDataset> opened = opened(key);
        synchronized (this) {
            branch.current = opened.orElse(null);
        }
        if (known != null) {
            known.retire();
        }
        return opened;
    }

    private static boolean isLatest(SharedDataset known) {
        try {
            return known.dataset().latestVersion() == known.version();
        } catch (Exception e) {
            if (NativeErrors.cause(e) == NativeErrors.Cause.ABSENT) {
                return false;
            }
            throw NativeErrors.translate(e);
        }
    }

    private Optional<SharedDataset> opened(BranchKey key) {
        Optional<Dataset> main = main(key.location());
        if (main.isEmpty() || key.branch() == null) {
            return main.map(SharedDataset::new);
        }
        try (Dataset from = main.get()) {
            return Optional.of(new SharedDataset(branch(from, key.branch())));
        }
    }

    private Optional<Dataset> main(TableLocation location) {
        ReadOptions options = new ReadOptions.Builder()
                .setStorageOptions(location.storageOptions())
                .build();
        try {
            return Optional.of(Dataset.open()
                    .allocator(runtime.allocator())
                    .uri(location.uri())
                    .readOptions(options)
                    .session(runtime.session())
                    .build());
        } catch (Exception e) {
            if (NativeErrors.isNoDataset(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Dataset branch(Dataset main, String branch) {
        try {
            return main.checkout(Ref.ofBranch(branch));
        } catch (Exception e) {
            throw NativeErrors.cause(e) == NativeErrors.Cause.ABSENT ? noBranch(branch) : NativeErrors.translate(e);
        }
    }

    private Optional<DatasetLease> numbered(BranchKey branch, long number) {
        VersionKey key = new VersionKey(branch, number);
        if (deleted.of(branch.location(), branch.branch()).contains(number)) {
            throw noVersion(number);
        }
        SharedDataset known = known(key);
        if (known != null && known.enter()) {
            return Optional.of(new DatasetLease(known));
        }
        return latest(branch).map(latest -> {
            try (latest) {
                SharedDataset opened = new SharedDataset(version(latest.dataset(), branch.branch(), number));
                opened.enter();
                keep(key, opened);
                return new DatasetLease(opened);
            }
        });
    }

    private static Dataset version(Dataset latest, @Nullable String branch, long number) {
        if (number < 1 || number > latest.version()) {
            throw noVersion(number);
        }
        try {
            return branch == null ? latest.checkoutVersion(number) : latest.checkout(Ref.ofBranch(branch, number));
        } catch (Exception e) {
            throw NativeErrors.cause(e) == NativeErrors.Cause.ABSENT ? noVersion(number) : NativeErrors.translate(e);
        }
    }

    private synchronized @Nullable SharedDataset known(VersionKey key) {
        return versions.get(key);
    }

    private void keep(VersionKey key, SharedDataset opened) {
        List<SharedDataset> retired = new ArrayList<>();
        synchronized (this) {
            SharedDataset before = versions.put(key, opened);
            if (before != null) {
                retired.add(before);
            }
            if (versions.size() > NUMBERED) {
                VersionKey eldest = versions.keySet().iterator().next();
                retired.add(versions.remove(eldest));
            }
        }
        retired.forEach(SharedDataset::retire);
    }

    /** What a table that is only declared lacks: the branch that was asked for, or the version, or any data. */
    static CatalogException noData(TableVersion wanted) {
        if (wanted.branch() != null) {
            return noBranch(wanted.branch());
        }
        return wanted.version() != null ? noVersion(wanted.version()) : onlyDeclared();
    }

    static CatalogException noBranch(@Nullable String branch) {
        return CatalogException.of(ErrorCode.TABLE_BRANCH_NOT_FOUND, "The table has no branch '" + branch + "'.");
    }

    static CatalogException noVersion(long number) {
        return CatalogException.of(
                ErrorCode.TABLE_VERSION_NOT_FOUND, "The table has no version " + number + " on this branch.");
    }

    @Override
    public void destroy() {
        List<SharedDataset> open = new ArrayList<>();
        synchronized (this) {
            branches.values().forEach(branch -> {
                if (branch.current != null) {
                    open.add(branch.current);
                }
            });
            open.addAll(versions.values());
            branches.clear();
            versions.clear();
        }
        open.forEach(SharedDataset::retire);
    }
}
