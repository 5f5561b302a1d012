package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** What may be done to a table by one server at a time: the library lets two writers of the same thing both win. */
final class LocationLeases {
    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 20_000_000L;

    private final Leases leases;
    private final Clock clock;
    private final Duration length;
    private final String owner = "server-" + UUID.randomUUID();

    LocationLeases(Leases leases, Clock clock) {
        this(leases, clock, LENGTH);
    }

    /** @param length for how long others wait when a holder dies */
    LocationLeases(Leases leases, Clock clock, Duration length) {
        this.length = length;
        this.leases = leases;
        this.clock = clock;
    }

    /** The lease on the making of a table's first version. */
    Held forFirstWrite(TableLocation location) {
        return acquire("first-write", location, "Another writer is making the table at the same time; try again.");
    }

    /**
     * Waits for the lease.
     *
     * @param purpose what it is for; leases of different purposes do not meet
     * @param busy what to tell who waited for too long
     * @throws CatalogException code 14 when others hold it for too long
     */
    Held acquire(String purpose, TableLocation location, String busy) {
        RecordKey key = RecordKey.of("_leases", RecordKey.hashed(purpose, location.uri()));
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (true) {
            Optional<Lease> lease = leases.acquire(key, owner, length);
            if (lease.isPresent()) {
                return new Held(lease.get());
            }
            if (System.nanoTime() > deadline) {
                throw CatalogException.of(ErrorCode.CONCURRENT_MODIFICATION, busy);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** A lease, until it is closed. */
    final class Held implements AutoCloseable {
        private Lease lease;

        private Held(Lease lease) {
            this.lease = lease;
        }

        /**
         * Makes sure before a step that there is time for it.
         *
         * @throws CatalogException code 14 when another server has taken the lease meanwhile
         */
        void require() {
            if (!lease.isHeldAt(clock.instant().plus(length.dividedBy(2)))) {
                lease = leases.renew(lease, length)
                        .orElseThrow(() -> CatalogException.of(
                                ErrorCode.CONCURRENT_MODIFICATION,
                                "The change took too long, and another has begun; look and try again."));
            }
        }

        @Override
        public void close() {
            leases.release(lease);
        }
    }
}
