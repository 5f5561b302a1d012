package io.rask.catalog.lance;

import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Commits changes to one manifest. Changes that wait at the same time go in one commit; on a conflict every check is made again on
 * a fresh snapshot (measured: {@code docs/decisions/0005}).
 */
final class ManifestCommits {
    private static final int LARGEST_GROUP = 256;
    private static final int ATTEMPTS = 40;
    private static final long SAFE_NANOS = ManifestUpkeep.RETENTION.toNanos() / 4;
    private static final long LONGEST_PAUSE_NANOS = 100_000_000L;

    private final Manifest manifest;
    private final ManifestWriter writer;
    private final NativeCalls calls;
    private final ConcurrentLinkedQueue<Pending> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean leading = new AtomicBoolean();

    ManifestCommits(Manifest manifest, NativeRuntime runtime, NativeCalls calls) {
        this.manifest = manifest;
        this.writer = new ManifestWriter(manifest, runtime);
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
        RequestBound mine = RequestBound.current();
        // The others must not fail because the client of the one who leads goes away.
        RequestBound.enter(null);
        try {
            calls.metadata(() -> manifest.moved(() -> commitGroup(group)));
        } catch (RuntimeException e) {
            group.forEach(member -> member.done.completeExceptionally(e));
        } finally {
            RequestBound.enter(mine);
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
                if (writer.write(now, difference)) {
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

    private static void pause(int attempt) {
        long most = Math.min(LONGEST_PAUSE_NANOS, 2_000_000L << Math.min(attempt, 6));
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most / 4, most));
    }
}
