package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.operation.Append;
import org.springframework.stereotype.Component;

/**
 * The first rows of a table that was only declared. The library's own create is not first-wins: of two at the same place, the
 * second may silently replace the first (measured: {@code docs/decisions/0006}). So the rows are written first, where nobody sees
 * them yet, and made the table's under a lease that all servers share; whoever comes second adds to what the first has made.
 */
@Component
final class FirstWrites {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 20_000_000L;

    private final RowCommits commits;
    private final DatasetHandles handles;
    private final Leases leases;
    private final Clock clock;
    private final String owner = "server-" + UUID.randomUUID();

    FirstWrites(RowCommits commits, DatasetHandles handles, Leases leases, Clock clock) {
        this.commits = commits;
        this.handles = handles;
        this.leases = leases;
        this.clock = clock;
    }

    /**
     * Writes the rows and makes them the table's.
     *
     * @throws CatalogException code 14 when others hold the place for too long, or have made the table with other columns
     */
    WriteResult write(TableLocation location, FittedReader rows) throws Exception {
        Schema schema = rows.getVectorSchemaRoot().getSchema();
        List<FragmentMetadata> fragments = commits.files(location, rows);
        Lease lease = acquire(location);
        try {
            return new WriteResult(commit(location, schema, fragments, lease), rows.rows());
        } finally {
            leases.release(lease);
        }
    }

    /**
     * Writes the rows and makes the table of them, unless others have made it meanwhile.
     *
     * @throws CatalogException code 14 when others hold the place for too long, or have made the table
     */
    WriteResult make(TableLocation location, FittedReader rows) throws Exception {
        List<FragmentMetadata> fragments = commits.files(location, rows);
        Lease lease = acquire(location);
        try {
            Optional<DatasetLease> existing = handles.find(location, TableVersion.LATEST);
            if (existing.isPresent()) {
                existing.get().close();
                throw madeMeanwhile();
            }
            requireHeld(lease);
            return new WriteResult(commits.create(location, rows.schema(), fragments), rows.rows());
        } finally {
            leases.release(lease);
        }
    }

    private static CatalogException madeMeanwhile() {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION, "Another writer has made the table at the same time; try again.");
    }

    private void requireHeld(Lease lease) {
        if (!lease.isHeldAt(clock.instant())) {
            throw CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION, "The write took too long to begin; try again.");
        }
    }

    private Lease acquire(TableLocation location) {
        RecordKey key = RecordKey.of("_leases", RecordKey.hashed("first-write", location.uri()));
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (true) {
            Optional<Lease> lease = leases.acquire(key, owner, LEASE);
            if (lease.isPresent()) {
                return lease.get();
            }
            if (System.nanoTime() > deadline) {
                throw CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "Another writer is making the table at the same time; try again.");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private long commit(TableLocation location, Schema schema, List<FragmentMetadata> fragments, Lease lease)
            throws Exception {
        Optional<DatasetLease> existing = handles.find(location, TableVersion.LATEST);
        requireHeld(lease);
        if (existing.isEmpty()) {
            return commits.create(location, schema, fragments);
        }
        try (DatasetLease table = existing.get()) {
            Dataset dataset = table.dataset();
            if (!dataset.getSchema().getFields().equals(schema.getFields())) {
                throw CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "Another writer has made the table with other columns at the same time; look and try again.");
            }
            if (fragments.isEmpty()) {
                return dataset.version();
            }
            return commits.commit(
                    dataset,
                    location,
                    TableVersion.LATEST,
                    new Append.Builder().fragments(fragments).build());
        }
    }
}
