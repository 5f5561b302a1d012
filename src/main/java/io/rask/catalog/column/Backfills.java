package io.rask.catalog.column;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.ColumnBackfill;
import io.rask.catalog.lance.Filling;
import io.rask.catalog.lance.NumberBound;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.BackfillColumnRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Has computed columns filled by workers. What can be told to be wrong before is refused before. */
@Component
final class Backfills {
    private static final long MOST_ROWS = 100_000_000;
    private static final long STEP_ROWS = 1_000_000;
    private static final long MOST_AT_A_TIME = 1_024;
    private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

    private final Tables tables;
    private final ColumnBackfill backfill;
    private final JobRegistry jobs;

    Backfills(Tables tables, ColumnBackfill backfill, JobRegistry jobs) {
        this.tables = tables;
        this.backfill = backfill;
        this.jobs = jobs;
    }

    /**
     * Has a column filled.
     *
     * @throws CatalogException code 4 without the table, 13 for an option out of bounds, and as {@link ColumnBackfill#check}
     */
    Job fill(ObjectId id, @Nullable String branch, BackfillColumnRequest body) {
        Filling wanted = wanted(body);
        PlacedTable table = tables.requireWritable(id);
        backfill.check(table.location(), branch, wanted);
        BackfillColumn.Spec spec = new BackfillColumn.Spec(id.segments(), table.relativeLocation(), branch, wanted);
        return jobs.submit(new JobSpec(BackfillColumn.NAME, id.stored(), null, spec, Duration.ZERO));
    }

    private static Filling wanted(BackfillColumnRequest body) {
        if (body.column() == null || body.column().isEmpty()) {
            throw refused("column", "must be present");
        }
        bounded("concurrency", MOST_AT_A_TIME, body.concurrency());
        bounded("intra_applier_concurrency", MOST_AT_A_TIME, body.intraApplierConcurrency());
        bounded("commit_granularity", Integer.MAX_VALUE, body.commitGranularity());
        Double flush = body.batchCheckpointFlushIntervalSeconds();
        if (flush != null && !(flush > 0 && flush <= DAY_SECONDS)) {
            throw refused("batch_checkpoint_flush_interval_seconds", "must be above 0, and at most " + DAY_SECONDS);
        }
        requireAbsent("cluster", body.cluster());
        requireAbsent("manifest", body.manifest());
        Long version = body.readVersion();
        if (version != null && version < 1) {
            throw refused("read_version", "must be at least 1");
        }
        String where = body.where() == null || body.where().isEmpty() ? null : body.where();
        Integer fragments = bounded("num_frags", Integer.MAX_VALUE, body.numFrags());
        return new Filling(body.column(), where, version, fragments, stepRows(body));
    }

    private static long stepRows(BackfillColumnRequest body) {
        Integer task = bounded("task_size", MOST_ROWS, body.taskSize());
        Integer size = bounded("checkpoint_size", MOST_ROWS, body.checkpointSize());
        int least = Objects.requireNonNullElse(bounded("min_checkpoint_size", MOST_ROWS, body.minCheckpointSize()), 1);
        int most = Objects.requireNonNullElse(
                bounded("max_checkpoint_size", MOST_ROWS, body.maxCheckpointSize()), (int) MOST_ROWS);
        if (least > most) {
            throw refused("min_checkpoint_size", "must not be above max_checkpoint_size");
        }
        long wanted = size != null ? size : task != null ? task : STEP_ROWS;
        return Math.clamp(wanted, least, most);
    }

    private static @Nullable Integer bounded(String field, long most, @Nullable Long value) {
        return new NumberBound(field, 1, most).of(value);
    }

    private static void requireAbsent(String field, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            throw refused(field, "must be absent: the catalog's own workers fill columns");
        }
    }

    private static CatalogException refused(String field, String rule) {
        return CatalogException.invalid(
                "The field '" + field + "' " + rule + ".", List.of(new FieldViolation(field, rule)));
    }
}
