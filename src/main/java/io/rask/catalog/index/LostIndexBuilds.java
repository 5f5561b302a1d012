package io.rask.catalog.index;

import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobFailure;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.job.JobState;
import io.rask.catalog.job.RecordsOfJobs;
import io.rask.catalog.lance.LostIndex;
import io.rask.catalog.lance.LostIndexNotes;
import io.rask.catalog.lance.NewIndex;
import io.rask.catalog.lance.TableIndexer;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.table.PlacedTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Has indices made anew that went when their columns got another type. What is to be made is told by the notes in the table alone: who
 * changes a column, or looks at the indices later, begins what nobody has begun. A record says what became of it, so that what failed
 * is told and not begun for ever.
 */
@Component
public final class LostIndexBuilds implements RecordsOfJobs {
    private static final Logger log = LoggerFactory.getLogger(LostIndexBuilds.class);
    private static final String FOLDER = "_rebuilds";
    private static final String JOB = "job";
    private static final String REASON = "reason";

    private final LostIndexNotes notes;
    private final TableIndexer indexer;
    private final JobRegistry jobs;
    private final Records records;

    LostIndexBuilds(LostIndexNotes notes, TableIndexer indexer, JobRegistry jobs, Records records) {
        this.notes = notes;
        this.indexer = indexer;
        this.jobs = jobs;
        this.records = records;
    }

    /**
     * An index that is being made anew, or cannot be.
     *
     * @param job what makes it; null when nothing does
     * @param reason why it cannot be made; null while it may be
     */
    public record Rebuild(
            LostIndex index, @Nullable String job, @Nullable String reason) {}

    /**
     * The indices that a branch has lost. What nobody makes anew yet is begun.
     *
     * @throws CatalogException code 22 for an unknown branch
     */
    public List<Rebuild> of(PlacedTable table, @Nullable String branch) {
        List<Rebuild> rebuilds = new ArrayList<>();
        for (LostIndex lost : notes.list(table.location(), branch)) {
            RecordKey key = key(table.location(), branch, lost);
            Optional<Rebuild> begun = records.readFresh(key).flatMap(record -> begun(lost, record));
            begun.or(() -> begin(table, branch, lost, key)).ifPresent(rebuilds::add);
        }
        return rebuilds;
    }

    /** As {@link #of}, after a change that has happened whatever becomes of its indices. */
    public List<String> begin(PlacedTable table, @Nullable String branch) {
        try {
            return of(table, branch).stream()
                    .flatMap(rebuild -> Optional.ofNullable(rebuild.job()).stream())
                    .toList();
        } catch (CatalogException e) {
            log.warn("The lost indices of {} are made anew when somebody looks at them.", table.id(), e);
            return List.of();
        }
    }

    /** Whether the table still notes that it has lost the index. */
    boolean isWanted(TableLocation location, @Nullable String branch, String name) {
        return noted(location, branch, name).isPresent();
    }

    /** Nobody wants the index any more, or it is there again; false when it was not lost. */
    boolean forget(TableLocation location, @Nullable String branch, String name) {
        Optional<LostIndex> lost = noted(location, branch, name);
        lost.ifPresent(index -> {
            // First what nobody finds without the note.
            records.tombstone(key(location, branch, index), record -> true);
            notes.forget(location, branch, name);
        });
        return lost.isPresent();
    }

    private Optional<LostIndex> noted(TableLocation location, @Nullable String branch, String name) {
        return notes.list(location, branch).stream()
                .filter(index -> index.name().equals(name))
                .findFirst();
    }

    @Override
    public String folder() {
        return FOLDER;
    }

    /** The field's id is in it: each change of a type gives a new one. */
    private static RecordKey key(TableLocation location, @Nullable String branch, LostIndex lost) {
        String id = String.join(
                "\n",
                location.uri(),
                branch == null || branch.equals("main") ? "" : branch,
                String.valueOf(lost.field()),
                lost.name());
        return RecordKey.of(FOLDER, RecordKey.hashed("index", id));
    }

    /** What became of it; empty when it is to be begun again, because the job is forgotten or somebody ended it. */
    private Optional<Rebuild> begun(LostIndex lost, CatalogRecord record) {
        String reason = record.content().path(REASON).asString("");
        if (!reason.isEmpty()) {
            return Optional.of(new Rebuild(lost, null, reason));
        }
        Optional<Job> job = jobs.find(record.content().path(JOB).asString(""));
        return job.filter(found -> found.state() != JobState.DONE).map(found -> {
            JobFailure failure = found.failure();
            boolean failed = found.state() == JobState.FAILED || found.state() == JobState.CANCELLED;
            String why = failure == null ? "The job was cancelled." : failure.message();
            return new Rebuild(lost, found.id(), failed ? why : null);
        });
    }

    private Optional<Rebuild> begin(PlacedTable table, @Nullable String branch, LostIndex lost, RecordKey key) {
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        try {
            NewIndex index = indexer.planned(table.location(), branch, lost.wanted());
            BuildIndex.Spec spec =
                    new BuildIndex.Spec(table.id().segments(), table.relativeLocation(), branch, index, true);
            Job job = jobs.submit(new JobSpec(BuildIndex.NAME, table.id().stored(), null, spec, Duration.ZERO));
            records.put(key, record.put(JOB, job.id()));
            return Optional.of(new Rebuild(lost, job.id(), null));
        } catch (CatalogException e) {
            if (e.code() == ErrorCode.TABLE_INDEX_ALREADY_EXISTS) {
                forget(table.location(), branch, lost.name());
                return Optional.empty();
            }
            if (e.code() == ErrorCode.THROTTLING) {
                return Optional.of(new Rebuild(lost, null, null));
            }
            if (e.code() != ErrorCode.INVALID_INPUT
                    && e.code() != ErrorCode.TABLE_COLUMN_NOT_FOUND
                    && e.code() != ErrorCode.UNSUPPORTED) {
                throw e;
            }
            records.put(key, record.put(REASON, e.text()));
            return Optional.of(new Rebuild(lost, null, e.text()));
        }
    }
}
