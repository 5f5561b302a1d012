package io.rask.catalog.job;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.RecordPage;
import io.rask.catalog.record.RecordStore;
import io.rask.catalog.record.Records;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Forgets jobs that ended long ago, so that looking at jobs stays cheap; one process at a time. */
@Component
public final class JobRetention {
    private static final RecordKey LEASE = RecordKey.of("_leases", "job-retention");
    private static final Duration LEASE_LENGTH = Duration.ofMinutes(10);
    /** How long the mark of a finished job stays among the open ones: far longer than any write may be under way. */
    private static final Duration MARKS = Duration.ofHours(1);

    private final Records records;
    private final JobRecords jobs;
    private final JobEvents events;
    private final Leases leases;
    private final List<RecordsOfJobs> others;
    private final Clock clock;
    private final Duration retention;

    JobRetention(
            Records records,
            JobRecords jobs,
            JobEvents events,
            Leases leases,
            List<RecordsOfJobs> others,
            Clock clock,
            CatalogProperties properties) {
        this.records = records;
        this.jobs = jobs;
        this.events = events;
        this.leases = leases;
        this.others = others;
        this.clock = clock;
        this.retention = properties.jobs().retention();
    }

    /** Forgets what is old enough; does nothing while another process does it. */
    public void sweep(String by) {
        Optional<Lease> lease = leases.acquire(LEASE, by, LEASE_LENGTH);
        if (lease.isEmpty()) {
            return;
        }
        try {
            records.discardOlder(JobRecords.OPEN, clock.instant().minus(MARKS), true);
            Instant before = clock.instant().minus(retention);
            others.forEach(kind -> records.discardOlder(kind.folder(), before, false));
            forget(lease.get(), before);
        } finally {
            leases.release(lease.get());
        }
    }

    private void forget(Lease lease, Instant before) {
        @Nullable String after = null;
        do {
            RecordPage page = jobs.page(JobRecords.FINISHED, after, RecordStore.MAX_PAGE);
            for (CatalogRecord record : page.records()) {
                // Ids sort by creation, and no job ends before it was made.
                if (!JobIds.momentOf(record.key().name()).isBefore(before) || !lease.isHeldAt(clock.instant())) {
                    return;
                }
                if (record.updatedAt().isBefore(before)) {
                    // The events first: without the job nobody would find them.
                    events.discard(record.key().name());
                    jobs.discardKept(record.key().name());
                    records.discard(record.key());
                }
            }
            after = page.next() == null ? null : JobRegistry.nameOf(page.next());
        } while (after != null);
    }
}
