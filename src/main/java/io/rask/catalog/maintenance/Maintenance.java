package io.rask.catalog.maintenance;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.table.Tables;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Asks workers for maintenance; what is asked for must be there. */
@Component
public final class Maintenance {
    private static final String MAIN = "main";
    private static final long LEAST_TARGET_ROWS = 1024;
    private static final long MOST_TARGET_ROWS = 10_000_000;
    private static final long MOST_AGE_SECONDS = Duration.ofDays(3650).toSeconds();

    private final Tables tables;
    private final Locator locator;
    private final JobRegistry jobs;
    private final Duration wait;

    public Maintenance(Tables tables, Locator locator, JobRegistry jobs, CatalogProperties properties) {
        this.tables = tables;
        this.locator = locator;
        this.jobs = jobs;
        this.wait = properties.jobs().inlineWait();
    }

    /**
     * Has a table compacted.
     *
     * @return the job as it is after a short wait
     * @throws CatalogException code 4 when the table is not there; code 13 for a target out of bounds or another branch than main
     */
    public Job compact(ObjectId id, @Nullable String branch, @Nullable Long targetRows) {
        if (branch != null && !branch.isEmpty() && !branch.equals(MAIN)) {
            throw CatalogException.invalid(
                    "Only the main branch is compacted.", List.of(new FieldViolation("branch", "must be main")));
        }
        requireWithin("target_rows_per_fragment", targetRows, LEAST_TARGET_ROWS, MOST_TARGET_ROWS);
        tables.require(id);
        CompactTable.Spec spec = new CompactTable.Spec(id.segments(), targetRows);
        return jobs.await(jobs.submit(new JobSpec(CompactTable.NAME, id.stored(), null, spec, Duration.ZERO)), wait);
    }

    /** Has the root of a warehouse searched for orphans; as {@link #compact}. Code 15 when it is deactivated. */
    public Job scanOrphans(String warehouse, @Nullable Long minimumAgeSeconds) {
        requireWithin("minimum_age_seconds", minimumAgeSeconds, 0, MOST_AGE_SECONDS);
        locator.ofWarehouse(warehouse);
        ScanOrphans.Spec spec = new ScanOrphans.Spec(warehouse, minimumAgeSeconds);
        return jobs.await(jobs.submit(new JobSpec(ScanOrphans.NAME, null, warehouse, spec, Duration.ZERO)), wait);
    }

    private static void requireWithin(String field, @Nullable Long value, long least, long most) {
        if (value != null && (value < least || value > most)) {
            String rule = "must be between " + least + " and " + most;
            throw CatalogException.invalid(
                    "The field '" + field + "' " + rule + ".", List.of(new FieldViolation(field, rule)));
        }
    }
}
