package io.rask.catalog.job;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.Forgetting;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.OldRecords;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.RecordPage;
import io.rask.catalog.record.Records;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Forgets jobs that ended long ago, so that looking at jobs stays cheap; one process at a time. */
@Component
public final class JobRetention {
    private static final RecordKey LEASE = RecordKey.of("_leases", "job-retention");
    private static final Duration LEASE_LENGTH = Duration.ofMinutes(10);
    /** How long the mark of a finished job stays among the open ones: far longer than any write may be under way. */
    private static final Duration MARKS = Duration.ofHours(1);
    /** How many jobs one round looks at: each has events of its own, and workers are not started meanwhile. */
    private static final int JOBS_AT_ONCE = 50;

    private final Records records;
    private final JobRecords jobs;
    private final JobEvents events;
    private final Leases leases;
    private final Clock clock;
    private final Duration retention;
    private final Forgetting forgetting;
    /** The finished job that the walk under way goes on behind. */
    private @Nullable String after;

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
        this.clock = clock;
        this.retention = properties.jobs().retention();
        this.forgetting = new Forgetting(walks(records, others));
    }

    /**
     * Does one short round of forgetting what is old enough; nothing while another process does it.
     *
     * @return whether there is more to forget
     */
    public boolean sweep(String by) {
        Optional<Lease> lease = leases.acquire(LEASE, by, LEASE_LENGTH);
        if (lease.isEmpty()) {
            return false;
        }
        try {
            return forgetting.round();
        } finally {
            leases.release(lease.get());
        }
    }

    private List<BooleanSupplier> walks(Records records, List<RecordsOfJobs> others) {
        OldRecords marks = new OldRecords(records, JobRecords.OPEN, true);
        List<BooleanSupplier> walks = new ArrayList<>();
        walks.add(() -> marks.forget(clock.instant().minus(MARKS)));
        for (RecordsOfJobs kind : others) {
            OldRecords old = new OldRecords(records, kind.folder(), false);
            walks.add(() -> old.forget(clock.instant().minus(retention)));
        }
        walks.add(() -> forgetFinished(clock.instant().minus(retention)));
        return walks;
    }

    /** One round over finished jobs; whether there are more that are old. */
    private boolean forgetFinished(Instant before) {
        RecordPage page = jobs.page(JobRecords.FINISHED, after, JOBS_AT_ONCE);
        after = page.next() == null ? null : JobRegistry.nameOf(page.next());
        for (CatalogRecord record : page.records()) {
            // Ids sort by creation, and no job ends before it was made.
            if (!JobIds.momentOf(record.key().name()).isBefore(before)) {
                after = null;
                return false;
            }
            if (record.updatedAt().isBefore(before)) {
                // The events first: without the job nobody would find them.
                events.discard(record.key().name());
                jobs.discardKept(record.key().name());
                records.discard(record.key());
            }
        }
        return after != null;
    }
}
