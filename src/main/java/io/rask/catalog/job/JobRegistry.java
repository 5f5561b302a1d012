package io.rask.catalog.job;

import io.rask.catalog.access.OnBehalf;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordPage;
import io.rask.catalog.wire.WireJson;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The jobs of the catalog, as everyone sees them who does not work on them: to be given, looked at and cancelled. */
@Component
public final class JobRegistry {
    private static final JsonMapper JSON = WireJson.mapper();
    private static final String FINISHED_TOKEN = "f:";
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final String OPEN_TOKEN = "o:";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

    private final JobRecords records;
    private final JobEvents events;
    private final JobBell bell;
    private final Leases leases;
    private final Clock clock;
    private final CatalogProperties.Jobs settings;
    private final String self = "server-" + UUID.randomUUID();

    JobRegistry(
            JobRecords records,
            JobEvents events,
            JobBell bell,
            Leases leases,
            Clock clock,
            CatalogProperties properties) {
        this.records = records;
        this.events = events;
        this.bell = bell;
        this.leases = leases;
        this.clock = clock;
        this.settings = properties.jobs();
    }

    /**
     * Makes a job durable; from then on it is done by some worker, whatever becomes of this process.
     *
     * @throws CatalogException code 21 for a job without delay while as many as may be are not finished
     */
    public Job submit(JobSpec wanted) {
        if (!wanted.delay().isPositive()) {
            requireRoom();
        }
        Instant now = clock.instant();
        String id = JobIds.at(now);
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put(JobFields.ID, id);
        content.put(JobFields.KIND, wanted.kind());
        content.put(JobFields.TABLE, wanted.table());
        content.put(JobFields.WAREHOUSE, wanted.warehouse());
        content.set(JobFields.SPEC, JSON.valueToTree(wanted.spec()));
        OnBehalf.current().ifPresent(asker -> content.set(JobFields.ASKED_BY, Asker.write(asker)));
        content.put(JobFields.STATE, JobState.QUEUED.recordName());
        content.put(JobFields.ATTEMPTS, 0);
        content.put(JobFields.MAX_ATTEMPTS, settings.attempts());
        if (wanted.isPatient()) {
            content.put(JobFields.PATIENT, true);
        }
        content.put(JobFields.NOT_BEFORE, now.plus(wanted.delay()).toString());
        Job job = records.create(id, content);
        if (!wanted.delay().isPositive()) {
            events.append(
                    id, List.of(new JobEvent(now, "queued", self, "server", null, 0, null, "The job was accepted.")));
            bell.ring();
        }
        return job;
    }

    /** What waits for its time, such as the deletion a drop has recorded, is nobody's request. */
    private void requireRoom() {
        Instant now = clock.instant();
        long asked = open().stream()
                .filter(job -> job.attempts() > 0 || !job.notBefore().isAfter(now))
                .count();
        if (asked >= settings.mostOpen()) {
            throw CatalogException.of(
                            ErrorCode.THROTTLING, "As many jobs as may be are not finished; try again when some are.")
                    .retryAfter(RETRY_AFTER);
        }
    }

    /** The job, or code 10: jobs have no code of their own, and a transaction is what comes closest. */
    public Job require(String id) {
        return find(id).orElseThrow(() -> absent(id));
    }

    /** Code 10. */
    public static CatalogException absent(String id) {
        return CatalogException.of(ErrorCode.TRANSACTION_NOT_FOUND, "There is no job of that id.")
                .about(new CatalogException.Resource("job", id, List.of()));
    }

    public Optional<Job> find(String id) {
        return records.find(id);
    }

    /** The jobs that are not finished, oldest first. */
    public List<Job> open() {
        return records.open();
    }

    /** Whether some worker could begin one now. */
    public boolean hasWork() {
        return open().stream().anyMatch(this::isTakeable);
    }

    boolean isTakeable(Job job) {
        Instant leaseEnd = job.leaseEnd();
        return switch (job.state()) {
            case QUEUED -> !job.notBefore().isAfter(clock.instant());
            case RUNNING -> leaseEnd == null || leases.isOver(leaseEnd);
            case DONE, FAILED, CANCELLED -> false;
        };
    }

    /**
     * A page of jobs.
     *
     * @param next what to ask with for the next page; null on the last
     */
    public record JobPage(List<Job> jobs, @Nullable String next) {}

    /**
     * One page of all jobs: the open ones first, then the finished ones, each oldest first. A job that finishes during the walk is
     * never missed, but may be shown in both.
     *
     * @throws CatalogException code 13 for a token of another making
     */
    public JobPage page(@Nullable String asked, int limit) {
        String token = asked;
        List<Job> jobs = new ArrayList<>();
        if (token == null || token.startsWith(OPEN_TOKEN)) {
            String next = fill(jobs, JobRecords.OPEN, after(token, OPEN_TOKEN), limit);
            if (next != null) {
                return new JobPage(jobs, OPEN_TOKEN + next);
            }
            if (jobs.size() == limit) {
                return new JobPage(jobs, FINISHED_TOKEN);
            }
            token = FINISHED_TOKEN;
        }
        String next = fill(jobs, JobRecords.FINISHED, after(token, FINISHED_TOKEN), limit - jobs.size());
        return new JobPage(jobs, next == null ? null : FINISHED_TOKEN + next);
    }

    /** The id a page begins behind; null for the first. */
    private static @Nullable String after(@Nullable String token, String prefix) {
        if (token == null || token.equals(prefix)) {
            return null;
        }
        if (!token.startsWith(prefix) || !JobIds.isId(token.substring(prefix.length()))) {
            throw CatalogException.invalid("The page token is none of this server's.");
        }
        return token.substring(prefix.length());
    }

    /** Adds jobs of a folder; returns the id the next page begins behind, or null when this was the last. */
    private @Nullable String fill(List<Job> jobs, String folder, @Nullable String after, int limit) {
        RecordPage page = records.page(folder, after, limit);
        page.records().forEach(record -> jobs.add(Job.of(record)));
        return page.next() == null ? null : nameOf(page.next());
    }

    static String nameOf(String key) {
        return key.substring(key.lastIndexOf('/') + 1).replace(".json", "");
    }

    /**
     * Ends a job that waits, and asks one that runs to end at its next step. One that has ended stays as it is.
     *
     * @throws CatalogException code 10 for an unknown job
     */
    public Job cancel(String id) {
        Job job = require(id);
        if (job.state().isTerminal()) {
            return job;
        }
        Optional<Job> changed = records.change(id, node -> {
            if (JobState.ofRecord(node.path(JobFields.STATE).asString()) == JobState.QUEUED) {
                node.put(JobFields.STATE, JobState.CANCELLED.recordName());
                node.put(JobFields.FINISHED_AT, clock.instant().toString());
            }
            return node.put(JobFields.CANCEL_REQUESTED, true);
        });
        Job after = changed.orElseGet(() -> require(id));
        events.append(
                id,
                List.of(new JobEvent(
                        clock.instant(),
                        after.state() == JobState.CANCELLED ? "cancelled" : "cancel_requested",
                        self,
                        "server",
                        after.worker(),
                        after.attempts(),
                        null,
                        "Cancellation was asked for.")));
        return after;
    }

    /** Takes a job back that nobody has begun: what it was for is done. */
    public void withdraw(String id) {
        records.withdraw(id);
    }

    /** Lets workers take a delayed job now. */
    public void hasten(String id) {
        records.change(
                id, node -> node.put(JobFields.NOT_BEFORE, clock.instant().toString()));
        bell.ring();
    }

    /** Waits a while for a job to end; gives it as it is then. */
    public Job await(Job job, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        Job seen = job;
        while (!seen.state().isTerminal()
                && System.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
            seen = require(job.id());
        }
        return seen;
    }
}
