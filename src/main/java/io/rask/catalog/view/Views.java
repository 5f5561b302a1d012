package io.rask.catalog.view;

import io.rask.catalog.access.Principal;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobFailure;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.job.JobState;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.Departures;
import io.rask.catalog.lifecycle.DropWish;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.CreateViewResponse;
import io.rask.catalog.wire.DryRunResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Has views made, refreshed and dropped by workers: the server itself never reads a query. */
@Component
final class Views {
    /** For how long a creation waits for its worker, whose process may have to start first. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** How many creations wait at a time: each holds a thread of the server. */
    private static final int MOST_WAITING = 16;

    private final Tables tables;
    private final DeletionCheck check;
    private final Departures departures;
    private final DryRuns dryRuns;
    private final JobRegistry jobs;
    private final Semaphore waiting = new Semaphore(MOST_WAITING);

    Views(Tables tables, DeletionCheck check, Departures departures, DryRuns dryRuns, JobRegistry jobs) {
        this.departures = departures;
        this.dryRuns = dryRuns;
        this.tables = tables;
        this.check = check;
        this.jobs = jobs;
    }

    /**
     * Makes a view without rows, and begins its first refresh where it is to have some.
     *
     * @throws CatalogException code 5 when the name is taken, 13 or 20 for a query or columns that cannot be, 4 and 12 for what the
     *     query names and is not there, 17 when no worker did it in time, 21 when too many wait for one
     */
    CreateViewResponse create(ObjectId id, ViewRequests.NewView wanted, Principal maker) {
        Job job = awaited(id, wanted, maker);
        JobFailure failure = job.failure();
        JsonNode made = job.result();
        if (job.state() == JobState.FAILED && failure != null) {
            throw CatalogException.of(
                    failure.code() == null ? ErrorCode.INTERNAL : ErrorCode.ofNumber(failure.code()),
                    failure.message());
        }
        if (job.state() != JobState.DONE || made == null) {
            throw CatalogException.unavailable(
                    "No worker has made the view yet; the job " + job.id()
                            + " may still do it, and fill it where that was asked for, so look before you try again.",
                    null);
        }
        String refresh = made.path(ViewResult.FILLED_BY).asString("");
        return new CreateViewResponse(made.path(ViewResult.PUBLISHED).asLong(), refresh.isEmpty() ? null : refresh);
    }

    private Job awaited(ObjectId id, ViewRequests.NewView wanted, Principal maker) {
        if (!waiting.tryAcquire()) {
            throw CatalogException.of(
                            ErrorCode.THROTTLING, "As many views as may be are being made; try again in a moment.")
                    .retryAfter(Duration.ofSeconds(5));
        }
        try {
            return jobs.await(submit(id, wanted, maker, false, wanted.withData()), PATIENCE);
        } finally {
            waiting.release();
        }
    }

    /**
     * Begins the creation of a view, with its rows where it is to have some.
     *
     * @return the id of the job
     * @throws CatalogException code 5 when the name is taken
     */
    String begin(ObjectId id, ViewRequests.NewView wanted, Principal maker) {
        return submit(id, wanted, maker, wanted.withData(), false).id();
    }

    private Job submit(ObjectId id, ViewRequests.NewView wanted, Principal maker, boolean withData, boolean fill) {
        if (tables.find(id).isPresent()) {
            throw CatalogException.of(
                            ErrorCode.TABLE_ALREADY_EXISTS, "The name '" + id + "' already exists; choose another.")
                    .about(Absence.resource("materialized_view", id));
        }
        CreateView.Spec spec = new CreateView.Spec(
                id.segments(), wanted.query(), wanted.outputSchema(), withData, fill, ViewMaker.of(maker));
        return submit(CreateView.NAME, id, spec);
    }

    /**
     * Begins a refresh.
     *
     * @param sourceVersion which version of the only source to read; null for the latest
     * @param fragmentRows how many rows one file may have; null for the library's own choice
     * @return the id of the job
     * @throws CatalogException code 4 when there is no such view
     */
    String refresh(ObjectId id, @Nullable Long sourceVersion, @Nullable Long fragmentRows) {
        return jobs.submit(RefreshView.job(require(id), sourceVersion, fragmentRows))
                .id();
    }

    /**
     * Begins the drop of a view.
     *
     * @return the id of the job
     * @throws CatalogException code 4 when there is no such view, 19 when it is protected
     */
    String drop(ObjectId id, DropWish wish) {
        PlacedTable view = require(id);
        check.protection(List.of(view.entry()), wish.force()).require();
        return submit(
                        DropView.NAME,
                        id,
                        new DropView.Spec(
                                id.segments(), view.relativeLocation(), wish.force(), wish.purge(), wish.by()))
                .id();
    }

    /** What {@link #drop} would do. */
    DryRunResponse planDrop(ObjectId id, DropWish wish) {
        PlacedTable view = require(id);
        return dryRuns.of(
                view.home(),
                any -> List.of(view.entry()),
                any -> List.of(),
                wish.force(),
                departures.isRecoverable(wish) ? departures.deadline() : null);
    }

    private Job submit(String kind, ObjectId id, Record spec) {
        return jobs.submit(new JobSpec(kind, id.stored(), null, spec, Duration.ZERO));
    }

    private PlacedTable require(ObjectId id) {
        return tables.find(id).filter(PlacedTable::isView).orElseThrow(() -> ViewRecords.absent(id));
    }
}
