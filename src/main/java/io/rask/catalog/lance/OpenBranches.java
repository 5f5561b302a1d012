package io.rask.catalog.lance;

import io.rask.catalog.platform.Coalescer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The branches whose latest version is open. It is checked on each use; what is pushed out is closed when its last user has left. */
final class OpenBranches {
    private static final int MOST = 1_000;

    private final DatasetOpening opening;
    private final Map<BranchKey, Branch> open = new LinkedHashMap<>(16, 0.75f, true);

    /** The latest version of one branch, as far as it is known. */
    private static final class Branch {
        private final Coalescer<Optional<SharedDataset>> check;
        private volatile @Nullable SharedDataset current;

        Branch(OpenBranches branches, BranchKey key) {
            this.check = new Coalescer<>(() -> branches.refreshed(this, key));
        }
    }

    OpenBranches(DatasetOpening opening) {
        this.opening = opening;
    }

    /** The latest version as of now; nothing while the table is only declared. */
    Optional<DatasetLease> latest(BranchKey key) {
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

    /** Whether a version of the branch is open. */
    boolean holds(BranchKey key) {
        Branch branch;
        synchronized (this) {
            branch = open.get(key);
        }
        return branch != null && branch.current != null;
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

    /** A branch may have been pushed out or forgotten while it was being opened; then nobody else would close it. */
    private synchronized void closeAfterUseUnlessKept(BranchKey key, Branch branch, SharedDataset opened) {
        if (open.get(key) != branch) {
            opened.retire();
        }
    }

    private synchronized Branch branch(BranchKey key) {
        Branch branch = open.computeIfAbsent(key, wanted -> new Branch(this, wanted));
        if (open.size() > MOST) {
            BranchKey eldest = open.keySet().iterator().next();
            Branch evicted = open.remove(eldest);
            if (evicted != null && evicted.current != null) {
                evicted.current.retire();
            }
        }
        return branch;
    }

    private synchronized void forget(BranchKey key, Branch branch) {
        open.remove(key, branch);
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
        Optional<SharedDataset> opened = opening.latest(key);
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

    /** Closes what is open at a location once its users have left. */
    void forget(String uri) {
        remove(key -> key.location().uri().equals(uri));
    }

    private void remove(Predicate<BranchKey> which) {
        List<SharedDataset> retired = new ArrayList<>();
        synchronized (this) {
            open.entrySet().removeIf(entry -> {
                boolean match = which.test(entry.getKey());
                SharedDataset current = entry.getValue().current;
                if (match && current != null) {
                    retired.add(current);
                }
                return match;
            });
        }
        retired.forEach(SharedDataset::retire);
    }

    synchronized int size() {
        return open.size();
    }

    void close() {
        remove(any -> true);
    }
}
