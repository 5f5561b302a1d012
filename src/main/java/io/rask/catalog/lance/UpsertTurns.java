package io.rask.catalog.lance;

import io.rask.catalog.platform.Background;
import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * One merge at a time for each branch of a table: the library lets two merges of one new key both insert it ({@code
 * docs/decisions/0009}). Within the process they stand in line; among servers a lease decides, which a server keeps for a moment
 * after a merge, so that merges in a row cost no records.
 */
@Component
final class UpsertTurns implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(UpsertTurns.class);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RENEW_EVERY = Duration.ofSeconds(8);
    private static final Duration MOST_WAIT = Duration.ofSeconds(60);
    private static final long IDLE_MILLIS = 40;
    /** For how long a server with a line of its own keeps others waiting. */
    private static final long MOST_HELD_NANOS = 2_000_000_000L;

    private static final long LOOK_MILLIS = 1_000;
    private static final long SHORTEST_PAUSE_NANOS = 5_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 25_000_000L;

    private final Leases leases;
    private final Clock clock;
    private final String owner = "server-" + UUID.randomUUID();
    private final Map<RecordKey, Line> lines = new HashMap<>();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "upsert-leases");
        thread.setDaemon(true);
        return thread;
    });

    UpsertTurns(Leases leases, Clock clock) {
        this.leases = leases;
        this.clock = clock;
    }

    /** Those who wait for one branch of one table. What is not final belongs to whoever has the turn. */
    private static final class Line {
        private final RecordKey key;
        private final Semaphore turn = new Semaphore(1, true);
        private int members;
        private @Nullable Lease lease;
        private long heldSince;
        private boolean yielding;

        Line(RecordKey key) {
            this.key = key;
        }
    }

    /**
     * Waits for the turn.
     *
     * @throws CatalogException code 21 when it does not come while the request may still wait, or the client leaves
     */
    Turn take(TableLocation location, TableVersion branch, RequestBound bound) {
        String place = location.uri() + '\n' + (branch.branch() == null ? "" : branch.branch());
        Line line = join(RecordKey.of("_leases", RecordKey.hashed("upsert", place)));
        RequestBound waiting = bound.within(MOST_WAIT);
        boolean taken = false;
        try {
            awaitTurn(line, waiting);
            taken = true;
            awaitLease(line, waiting);
            return new Turn(line);
        } catch (RuntimeException e) {
            if (taken) {
                pass(line);
            }
            leave(line);
            throw e;
        }
    }

    private synchronized Line join(RecordKey key) {
        Line line = lines.computeIfAbsent(key, Line::new);
        line.members++;
        return line;
    }

    private synchronized void leave(Line line) {
        if (--line.members == 0) {
            lines.remove(line.key);
        }
    }

    private static void awaitTurn(Line line, RequestBound waiting) {
        try {
            while (!line.turn.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                requireWaiting(waiting);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw tooLong();
        }
    }

    private void awaitLease(Line line, RequestBound waiting) {
        if (line.lease != null && !isFresh(line.lease)) {
            line.lease = leases.renew(line.lease, LEASE).orElse(null);
        }
        if (line.yielding) {
            line.yielding = false;
            LockSupport.parkNanos(2 * LONGEST_PAUSE_NANOS);
        }
        while (line.lease == null) {
            line.lease = leases.acquire(line.key, owner, LEASE).orElse(null);
            line.heldSince = System.nanoTime();
            if (line.lease == null) {
                requireWaiting(waiting);
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
            }
        }
    }

    private static void requireWaiting(RequestBound waiting) {
        if (waiting.isOver() || waiting.clientGone()) {
            throw tooLong();
        }
    }

    private static CatalogException tooLong() {
        return CatalogException.of(
                        ErrorCode.THROTTLING, "Other merges into the table are running; nothing was done, try again.")
                .retryAfter(Duration.ofSeconds(1));
    }

    private boolean isFresh(Lease lease) {
        return lease.isHeldAt(clock.instant().plus(LEASE.dividedBy(2)));
    }

    /** Hands the turn on. The lease goes with it while others of this server wait, but not for ever. */
    private void pass(Line line) {
        boolean kept = line.lease != null
                && line.turn.hasQueuedThreads()
                && System.nanoTime() - line.heldSince < MOST_HELD_NANOS;
        if (line.lease != null && !kept && line.turn.hasQueuedThreads()) {
            line.yielding = true;
            giveBack(line);
        }
        boolean idle = line.lease != null && !kept;
        line.turn.release();
        if (idle) {
            giveBackLater(line);
        }
    }

    private void giveBackLater(Line line) {
        synchronized (this) {
            line.members++;
        }
        try {
            timer.schedule(
                    Background.task("A lease on upserts runs out by itself.", () -> giveBackIfIdle(line)),
                    IDLE_MILLIS,
                    TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.RejectedExecutionException e) {
            leave(line);
        }
    }

    private void giveBackIfIdle(Line line) {
        try {
            if (line.turn.tryAcquire()) {
                try {
                    giveBack(line);
                } finally {
                    line.turn.release();
                }
            }
        } finally {
            leave(line);
        }
    }

    /** A lease that cannot be given back runs out by itself. */
    private void giveBack(Line line) {
        Lease lease = line.lease;
        line.lease = null;
        if (lease == null) {
            return;
        }
        try {
            leases.release(lease);
        } catch (RuntimeException e) {
            LOG.warn("A lease on upserts could not be given back; others wait until it runs out.", e);
        }
    }

    /** The right to merge, until it is closed. */
    final class Turn implements AutoCloseable {
        private final Line line;
        private final ScheduledFuture<?> renewal;
        private volatile @Nullable Lease lease;

        private Turn(Line line) {
            this.line = line;
            this.lease = line.lease;
            long every = RENEW_EVERY.toMillis();
            this.renewal = timer.scheduleWithFixedDelay(
                    Background.task("A lease on upserts is renewed at the next beat.", this::renew),
                    every,
                    every,
                    TimeUnit.MILLISECONDS);
        }

        private synchronized void renew() {
            Lease held = lease;
            if (held == null) {
                return;
            }
            try {
                lease = leases.renew(held, LEASE).orElse(null);
            } catch (RuntimeException e) {
                LOG.warn("A lease on upserts could not be renewed yet.", e);
            }
        }

        /**
         * Makes sure that no other server merges now.
         *
         * @throws CatalogException code 14 when the lease was lost meanwhile
         */
        synchronized void requireHeld() {
            Lease held = lease;
            if (held != null && !isFresh(held)) {
                held = leases.renew(held, LEASE).orElse(null);
                lease = held;
            }
            if (held == null) {
                throw CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION, "The turn of the merge went to another server; try again.");
            }
        }

        /** Hands the turn on, from whatever thread. */
        @Override
        public void close() {
            renewal.cancel(false);
            Optional<Lease> last;
            synchronized (this) {
                last = Optional.ofNullable(lease);
                lease = null;
            }
            line.lease = last.orElse(null);
            pass(line);
            leave(line);
        }
    }

    @Override
    public void destroy() {
        timer.shutdownNow();
    }
}
