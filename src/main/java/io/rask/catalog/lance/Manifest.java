package io.rask.catalog.lance;

import io.rask.catalog.platform.Coalescer;
import io.rask.catalog.problem.CatalogException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ReadOptions;

/**
 * The catalog manifest of one root: the Lance table {@code __manifest}, in the format of Lance's own directory catalog, so that
 * any Lance tool can open the root. Reads come from a snapshot in memory that is checked against the latest version on every
 * request; writes go through {@link ManifestCommits}.
 */
final class Manifest implements AutoCloseable {
    /** The folder of the manifest below a root. */
    static final String FOLDER = "__manifest";

    private static final int LOADS = 5;

    private final CatalogRoot root;
    private final NativeRuntime runtime;
    private final NativeCalls calls;
    /** Held while the state moves to another version, so that readers and committers never load one version twice. */
    private final ReentrantLock moving = new ReentrantLock();

    private final Coalescer<ManifestSnapshot> freshness;
    private volatile @Nullable State state;

    private record State(ManifestSnapshot snapshot, SharedDataset handle, ManifestFragments fragments) {}

    Manifest(CatalogRoot root, NativeRuntime runtime, NativeCalls calls) {
        this.root = root;
        this.runtime = runtime;
        this.calls = calls;
        this.freshness = new Coalescer<>(() -> calls.shared(this::freshOrLoaded));
    }

    CatalogRoot root() {
        return root;
    }

    /**
     * The rows as of now: what any writer committed before this call is in it.
     *
     * @throws CatalogException code 17 when the store does not answer or the root has no manifest
     */
    ManifestView view() {
        // In a folder the look takes microseconds, less than to hand it to another thread and to wait for that.
        return root.isFolder() && calls.isInside() ? calls.metadata(this::freshOrLoaded) : freshness.fresh();
    }

    private ManifestSnapshot freshOrLoaded() throws Exception {
        State now = state;
        if (now != null && now.handle.enter()) {
            try {
                if (isLatest(now)) {
                    return now.snapshot;
                }
            } finally {
                now.handle.leave();
            }
        }
        return moved(this::latest);
    }

    private static boolean isLatest(State now) {
        try {
            return now.handle.dataset().latestVersion() == now.snapshot.version();
        } catch (Exception e) {
            throw NativeErrors.cause(e) == NativeErrors.Cause.ABSENT ? lost(e) : NativeErrors.translate(e);
        }
    }

    /** Never an empty catalog: a root that has lost its manifest must not look like one without tables. */
    private static CatalogException lost(Exception failure) {
        return CatalogException.unavailable("The storage of this warehouse holds no catalog manifest.", failure);
    }

    /** Runs work that may move the state, one at a time. */
    <T> T moved(ManifestWork<T> work) throws Exception {
        moving.lock();
        try {
            return work.run();
        } finally {
            moving.unlock();
        }
    }

    /** Work on a manifest that may fail in native code. */
    @FunctionalInterface
    interface ManifestWork<T> {
        T run() throws Exception;
    }

    /** The snapshot of the latest version, loaded only if it moved. Call it within {@link #moved}. */
    ManifestSnapshot latest() throws Exception {
        State now = state;
        if (now != null) {
            if (isLatest(now)) {
                return now.snapshot;
            }
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return load(open());
            } catch (Exception e) {
                // Upkeep may remove a version between opening and reading it; the next one is there then.
                if (attempt == LOADS || NativeErrors.cause(e) != NativeErrors.Cause.ABSENT) {
                    throw e;
                }
            }
        }
    }

    /** The open dataset that {@link #latest} has read. Call it within {@link #moved}. */
    Dataset dataset() {
        State now = state;
        if (now == null) {
            throw new IllegalStateException("the manifest has not been read yet");
        }
        return now.handle.dataset();
    }

    /** The fragments of {@link #dataset}. Call it within {@link #moved}. */
    ManifestFragments fragments() {
        State now = state;
        return now == null ? ManifestFragments.none() : now.fragments;
    }

    /** Takes over the dataset our own commit has produced. Call it within {@link #moved}. */
    void committed(Dataset next, ManifestUpdate update) throws Exception {
        State now = state;
        long version = next.version();
        ManifestFragments fragments = ManifestFragments.of(next);
        Optional<List<ManifestRow>> placed = fragments.placed(update.rows(), update.added());
        if (now == null || version != now.snapshot.version() + 1 || placed.isEmpty()) {
            // The library rebased our commit on someone else's: what changed in between is not known.
            load(next);
            return;
        }
        state = new State(now.snapshot, new SharedDataset(next), fragments);
        now.snapshot.advance(version, placed.get(), update.removed());
        now.handle.retire();
    }

    /** Reads what differs from the version that is known. Call it within {@link #moved}. */
    ManifestSnapshot load(Dataset dataset) throws Exception {
        State before = state;
        ManifestSnapshot snapshot = before == null ? new ManifestSnapshot(0, List.of()) : before.snapshot;
        try {
            ManifestFragments known = before == null ? ManifestFragments.none() : before.fragments;
            ManifestFragments fragments = ManifestFragments.of(dataset);
            List<ManifestRow> rows = ManifestRows.read(dataset, fragments.notIn(known));
            snapshot.replace(dataset.version(), known.notIn(fragments), rows);
            state = new State(snapshot, new SharedDataset(dataset), fragments);
        } catch (Exception e) {
            dataset.close();
            throw e;
        }
        if (before != null) {
            before.handle.retire();
        }
        return snapshot;
    }

    private Dataset open() {
        try {
            return Dataset.open(
                    runtime.allocator(),
                    root.resolve(FOLDER),
                    new ReadOptions.Builder()
                            .setStorageOptions(root.storageOptions())
                            .setSession(runtime.session())
                            .build());
        } catch (Exception e) {
            if (NativeErrors.isNoDataset(e)) {
                throw lost(e);
            }
            throw e;
        }
    }

    @Override
    public void close() {
        State now = state;
        if (now != null) {
            now.handle.retire();
        }
    }
}
