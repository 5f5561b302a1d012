package io.rask.catalog.jobs;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.ArrowResponse;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.DatabaseScope;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.JobRights;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobFailure;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobState;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.wire.CancelJobResponse;
import io.rask.catalog.wire.DescribeJobResponse;
import io.rask.catalog.wire.JobEventsRequest;
import io.rask.catalog.wire.JobRequest;
import io.rask.catalog.wire.ListJobsRequest;
import io.rask.catalog.wire.ListJobsResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors of jobs, as LanceDB's clients use them. */
@RestController
class JobsController {
    private final JobRegistry jobs;
    private final EventQueries events;
    private final JobRights rights;

    JobsController(JobRegistry jobs, EventQueries events, JobRights rights) {
        this.rights = rights;
        this.jobs = jobs;
        this.events = events;
    }

    @PostMapping("/v1/jobs/list")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NONE, asks = Asked.EACH_ITEM, filtered = true)
    ListJobsResponse list(@Body ListJobsRequest body, RequestContext context) {
        DatabaseScope scope = context.scope();
        PageRequest page = PageRequest.of(body.pageToken(), body.limit());
        JobRegistry.JobPage found = jobs.page(page.after(), page.limit());
        List<Job> here =
                found.jobs().stream().filter(job -> isIn(scope, job.table())).toList();
        return new ListJobsResponse(
                rights.visible(context.caller(), here).stream()
                        .map(job -> entry(job, scope))
                        .toList(),
                found.next());
    }

    @PostMapping("/v1/jobs/describe")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NONE, asks = Asked.JOB)
    DescribeJobResponse describe(@Body JobRequest body) {
        return description(jobs.require(id(body.jobId())));
    }

    @PostMapping("/v1/jobs/cancel")
    @Door(relation = Relation.CAN_MAINTAIN, target = Target.NONE, asks = Asked.JOB)
    CancelJobResponse cancel(@Body JobRequest body) {
        Job job = jobs.cancel(id(body.jobId()));
        return new CancelJobResponse(job.id(), job.state().wireName());
    }

    @PostMapping("/v1/jobs/query_events")
    @Door(relation = Relation.CAN_OBSERVE_EVENTS, target = Target.NONE, asks = Asked.JOB)
    void queryEvents(@Body JobEventsRequest body, ArrowResponse response) throws IOException {
        events.write(id(body.jobId()), body.limit(), body.filter(), response);
    }

    private static String id(@Nullable String sent) {
        if (sent == null || sent.isEmpty()) {
            throw CatalogException.invalid(
                    "The body does not name the job.", List.of(new FieldViolation("job_id", "must be present")));
        }
        return sent;
    }

    /** In a database only its own jobs are listed, so a page may be short. */
    private static boolean isIn(DatabaseScope scope, @Nullable String table) {
        return scope.isWhole() || (table != null && scope.holds(Delimiter.STORED.split(table)));
    }

    private static String name(DatabaseScope scope, @Nullable String table) {
        return table == null || scope.isWhole()
                ? Objects.requireNonNullElse(table, "")
                : scope.relative(Delimiter.STORED.split(table)).stored();
    }

    private static ListJobsResponse.Entry entry(Job job, DatabaseScope scope) {
        return new ListJobsResponse.Entry(
                job.id(),
                name(scope, job.table()),
                job.kind(),
                job.state().wireName(),
                job.createdAt().toEpochMilli());
    }

    private static DescribeJobResponse description(Job job) {
        JobFailure failure = job.failure();
        Job.Progress progress = job.progress();
        return new DescribeJobResponse(
                job.id(),
                job.kind(),
                job.state().wireName(),
                job.createdAt().toEpochMilli(),
                job.spec(),
                job.result(),
                failure == null
                        ? null
                        : new DescribeJobResponse.Failure(
                                failure.phase(), failure.message(), failure.retryable(), failure.code()),
                job.table(),
                job.warehouse(),
                job.state() == JobState.QUEUED,
                job.attempts(),
                job.maxAttempts(),
                progress == null
                        ? null
                        : new DescribeJobResponse.Progress(progress.done(), progress.total(), progress.unit()),
                job.cancelRequested(),
                millis(job.startedAt()),
                millis(job.finishedAt()));
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }
}
