package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertResult;
import org.lance.merge.MergeInsertStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to one manifest. Changes that wait at the same time go in one commit, in the cheapest form that conflicts with every
 * change it depends on; on a conflict every check is made again on a fresh snapshot (measured: {@code docs/decisions/0005}).
 */
final class ManifestCommits {
    private static final Logger log = LoggerFactory.getLogger(ManifestCommits.class);
    private static final int LARGEST_GROUP = 256;
    private static final int ATTEMPTS = 40;
    private static final long SAFE_NANOS = ManifestUpkeep.RETENTION.toNanos() / 4;
    private static final long LONGEST_PAUSE_NANOS = 100_000_000L;

    private final Manifest manifest;
    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final ConcurrentLinkedQueue<Pending> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean leading = new AtomicBoolean();

    ManifestCommits(Manifest manifest, NativeRuntime runtime, NativeCalls calls) {
        this.manifest = manifest;
        this.runtime = runtime;
        this.calls = calls;
    }

    /**
     * A change that waits for its commit.
     *
     * @param done completed once the change is committed or has failed
     * @param lead completed when the one who waits is to commit for all who wait
     */
    private record Pending(ManifestChange change, CompletableFuture<Boolean> done, CompletableFuture<Boolean> lead) {
        /** Waits until the change is done or its turn to lead has come; true for the latter. */
        boolean leads() {
            CompletableFuture.anyOf(done.handle((result, failure) -> true), lead)
                    .join();
            return !done.isDone();
        }
    }

    /**
     * Makes one change durable.
     *
     * @throws CatalogException what a check of the change threw (nothing was written); code 14 when other writers kept winning
     *     (nothing was written); code 17 when the outcome is not known: the change may have happened
     */
    void commit(ManifestChange change) {
        Pending mine = new Pending(change, new CompletableFuture<>(), new CompletableFuture<>());
        waiting.add(mine);
        if (leading.compareAndSet(false, true) || mine.leads()) {
            try {
                commitNextGroup();
            } finally {
                handOver();
            }
        }
        await(mine);
    }

    private void commitNextGroup() {
        List<Pending> group = nextGroup();
        if (group.isEmpty()) {
            return;
        }
        try {
            calls.metadata(() -> manifest.moved(() -> commitGroup(group)));
        } catch (RuntimeException e) {
            group.forEach(member -> member.done.completeExceptionally(e));
        }
    }

    /** Nobody leads twice in a row while others wait, so no request works for the others for long. */
    private void handOver() {
        do {
            Pending next = waiting.peek();
            if (next != null) {
                next.lead.complete(true);
                return;
            }
            leading.set(false);
            // Whoever came in between saw a leader and waits for it.
        } while (!waiting.isEmpty() && leading.compareAndSet(false, true));
    }

    private static void await(Pending pending) {
        try {
            pending.done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private List<Pending> nextGroup() {
        List<Pending> group = new ArrayList<>();
        for (Pending next = waiting.poll(); next != null; next = waiting.poll()) {
            group.add(next);
            if (group.size() == LARGEST_GROUP) {
                break;
            }
        }
        return group;
    }

    private boolean commitGroup(List<Pending> group) throws Exception {
        LostAnswer lost = null;
        long begin = System.nanoTime();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long look = System.nanoTime();
            ManifestSnapshot now = latest(lost);
            if (lost != null && lost.happened(now)) {
                return done(group);
            }
            ManifestOverlay overlay = new ManifestOverlay(now);
            group.forEach(member -> plan(member, overlay));
            ManifestOverlay.Difference difference = overlay.difference();
            if (difference.isEmpty()) {
                return done(group);
            }
            try {
                if (committed(now, difference)) {
                    requireSeen(difference, look);
                    return done(group);
                }
            } catch (Exception e) {
                lost = LostAnswer.after(lost, difference, now.version(), e, begin);
            }
            pause(attempt);
        }
        if (lost != null) {
            throw lost.unknown(lost.failure());
        }
        throw CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "Other writers kept changing the catalog at the same time; try again.");
    }

    /**
     * A commit finds its number by what versions there are. One that took almost as long as versions stay could have found the
     * number of a version that was made and removed meanwhile, behind the latest, where nobody looks.
     */
    private void requireSeen(ManifestOverlay.Difference difference, long look) throws Exception {
        if (System.nanoTime() - look > SAFE_NANOS && !LostAnswer.shows(manifest.latest(), difference)) {
            throw NativeErrors.unknownOutcome(new IllegalStateException("a slow commit is not in the latest version"));
        }
    }

    private ManifestSnapshot latest(@Nullable LostAnswer lost) throws Exception {
        try {
            return manifest.latest();
        } catch (Exception e) {
            throw lost == null ? e : lost.unknown(e);
        }
    }

    private static boolean done(List<Pending> group) {
        group.forEach(member -> member.done.complete(true));
        return true;
    }

    private static void plan(Pending member, ManifestOverlay overlay) {
        if (member.done.isDone()) {
            return;
        }
        try {
            overlay.add(member.change.plan(overlay));
        } catch (RuntimeException e) {
            member.done.completeExceptionally(e);
        }
    }

    /** Whether the change was committed; false when another writer was first. */
    private boolean committed(ManifestSnapshot now, ManifestOverlay.Difference difference) throws Exception {
        Dataset dataset = manifest.dataset();
        if (!ManifestFragments.isPlainlyNumbered(dataset)) {
            return merge(difference);
        }
        if (difference.onlyInserts()) {
            return update(() -> ManifestUpdate.inserting(
                            runtime, manifest.root(), dataset, manifest.fragments(), difference.inserted()))
                    && crowdMerged(now);
        }
        return difference.inserted().isEmpty()
                ? update(() -> replacing(now, difference.rows(), difference.removed()))
                : merge(difference);
    }

    private ManifestUpdate replacing(ManifestSnapshot now, List<ManifestEntry> rows, List<String> removed)
            throws Exception {
        List<ManifestRow> gone = Stream.concat(rows.stream().map(ManifestEntry::id), removed.stream())
                .flatMap(id -> now.row(id).stream())
                .toList();
        return ManifestUpdate.replacing(
                runtime, manifest.root(), manifest.dataset(), manifest.fragments(), rows, gone, removed);
    }

    /**
     * Writes the rows of small fragments together when there are many. If another writer is first, the next commit tries again.
     *
     * @return true: what came before it stands
     */
    private boolean crowdMerged(ManifestSnapshot now) {
        try {
            List<ManifestEntry> rows = now.in(manifest.fragments().toMerge()).stream()
                    .map(ManifestRow::entry)
                    .toList();
            if (!rows.isEmpty()) {
                update(() -> replacing(now, rows, List.of()));
            }
        } catch (Exception e) {
            log.debug("The fragments of the manifest of {} stay as they are for now.", manifest.root(), e);
        }
        return true;
    }

    private boolean update(Callable<ManifestUpdate> prepared) throws Exception {
        ManifestUpdate update;
        Dataset next;
        try {
            update = prepared.call();
            next = update.commit(manifest.dataset());
        } catch (Exception e) {
            return lostRace(e);
        }
        try {
            manifest.committed(next, update);
        } catch (Exception e) {
            // The commit stands; the next reader loads what could not be loaded now.
            log.debug("The manifest of {} could not be read after a commit.", manifest.root(), e);
        }
        return true;
    }

    /** The library's own merge, for changes that both take new ids and change rows: one commit, but a join of all rows. */
    private boolean merge(ManifestOverlay.Difference difference) throws Exception {
        MergeInsertResult result;
        try (ArrowReader rows = ManifestRows.reader(
                        runtime.allocator(), manifest.dataset().getSchema(), difference.rows());
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(runtime.allocator())) {
            Data.exportArrayStream(runtime.allocator(), rows, stream);
            result = manifest.dataset().mergeInsert(merge(difference.removed()), stream);
        } catch (Exception e) {
            return lostRace(e);
        }
        MergeInsertStats stats = result.stats();
        boolean meant = stats.numInsertedRows() == difference.inserted().size()
                && stats.numUpdatedRows()
                        == difference.rewritten().size() + difference.reliedOn().size()
                && stats.numDeletedRows() == difference.removed().size();
        try {
            manifest.load(result.dataset());
        } catch (Exception e) {
            log.debug("The manifest of {} could not be read after a commit.", manifest.root(), e);
        }
        if (!meant) {
            throw CatalogException.unavailable(
                    "The outcome of the change is not known; look at the object before you try again.",
                    new IllegalStateException("a merge of the manifest meant " + difference + " and did " + stats));
        }
        return true;
    }

    private static MergeInsertParams merge(List<String> removed) {
        // Without a condition on rows that the source lacks, the library takes an indexed path that overwrites what it
        // should not.
        String gone = removed.isEmpty() ? "object_id = '__none__'" : "object_id IN (" + quoted(removed) + ")";
        return new MergeInsertParams(List.of("object_id"))
                .withMatchedUpdateAll()
                .withNotMatched(MergeInsertParams.WhenNotMatched.InsertAll)
                .withNotMatchedBySourceDeleteIf(gone)
                .withConflictRetries(0);
    }

    private static String quoted(List<String> ids) {
        return ids.stream().map(id -> "'" + id.replace("'", "''") + "'").collect(Collectors.joining(", "));
    }

    /** False when the failure means that another writer was first; any other failure is thrown again. */
    private static boolean lostRace(Exception failure) throws Exception {
        NativeErrors.Cause cause = NativeErrors.cause(failure);
        // A file that is gone was read, not written: upkeep has removed the version the change began from.
        if (cause == NativeErrors.Cause.CONFLICT || cause == NativeErrors.Cause.ABSENT) {
            return false;
        }
        throw failure;
    }

    private static void pause(int attempt) {
        long most = Math.min(LONGEST_PAUSE_NANOS, 2_000_000L << Math.min(attempt, 6));
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most / 4, most));
    }
}
