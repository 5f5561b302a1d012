package io.rask.catalog.job;

import io.rask.catalog.platform.Background;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.wire.WireJson;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The loop of a worker process: takes one job after the other, keeps its lease alive, and writes how it ended. */
public final class JobWorker {
    private static final Logger log = LoggerFactory.getLogger(JobWorker.class);
    private static final JsonMapper JSON = WireJson.mapper();
    /** How many beats fit into a lease: several may fail before it is lost. */
    private static final int BEATS = 4;

    private final JobClaims claims;
    private final JobEvents events;
    private final Clock clock;
    private final CatalogProperties.Jobs settings;
    private final Map<String, JobKind<?>> kinds;
    private final String id;
    private final Semaphore bell = new Semaphore(0);
    private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("job-lease").unstarted(task));

    private volatile boolean stopping;
    private volatile @Nullable JobRun current;

    /** @param id who this is in leases and events; no two processes share one */
    public JobWorker(
            JobClaims claims,
            JobEvents events,
            Clock clock,
            CatalogProperties properties,
            List<JobKind<?>> kinds,
            String id) {
        this.claims = claims;
        this.events = events;
        this.clock = clock;
        this.settings = properties.jobs();
        this.kinds = kinds.stream().collect(Collectors.toUnmodifiableMap(JobKind::name, Function.identity()));
        this.id = id;
    }

    /**
     * Works until it is told to stop, or has had nothing to do for a while.
     *
     * @param idle after how long without work it returns; null for never
     */
    public void run(@Nullable Duration idle) throws InterruptedException {
        long since = System.nanoTime();
        while (!stopping && (idle == null || System.nanoTime() - since < idle.toNanos())) {
            if (step()) {
                since = System.nanoTime();
            } else {
                bell.tryAcquire(settings.poll().toMillis(), TimeUnit.MILLISECONDS);
                bell.drainPermits();
            }
        }
        heart.shutdownNow();
    }

    /** Says that there may be work now. */
    public void wake() {
        bell.release();
    }

    /** Asks the running job to end at its next step and go back, and the loop to end. */
    public void stop() {
        stopping = true;
        JobRun run = current;
        if (run != null) {
            run.stop();
        }
        bell.release();
    }

    /** Gives a job back that did not end in time; whatever its thread still does cannot commit any more. */
    public void abandon() {
        JobRun run = current;
        if (run != null) {
            claims.putBack(run.claim());
        }
    }

    private boolean step() {
        try {
            Optional<JobClaim> claim = claims.take(id, kinds.keySet());
            claim.ifPresent(this::work);
            return claim.isPresent();
        } catch (RuntimeException e) {
            log.warn("No job can be taken or finished now; the next look is in {}.", settings.poll(), e);
            return false;
        }
    }

    private void work(JobClaim claim) {
        JobRun run = new JobRun(claims, events, clock, id, claim);
        current = run;
        if (stopping) {
            run.stop();
        }
        long beat = settings.lease().toMillis() / BEATS;
        var beats = heart.scheduleWithFixedDelay(
                Background.task("The lease of the job is renewed at the next beat.", run::beat),
                beat,
                beat,
                TimeUnit.MILLISECONDS);
        log.info(
                "Job {} ({}), attempt {}",
                claim.id(),
                claim.job().kind(),
                claim.job().attempts());
        try {
            end(run, outcome(claim.job(), run));
        } finally {
            beats.cancel(false);
            current = null;
        }
    }

    /** How an attempt ended. */
    private sealed interface Outcome {
        record Done(ObjectNode result) implements Outcome {}

        record Failed(JobFailure failure) implements Outcome {}

        record Interrupted(JobInterrupted.Reason reason) implements Outcome {}
    }

    private static final Outcome LOST = new Outcome.Interrupted(JobInterrupted.Reason.LOST);

    private Outcome outcome(Job job, JobRun run) {
        try {
            run.checkpoint();
            return new Outcome.Done(run(kinds.get(job.kind()), job, run));
        } catch (JobInterrupted e) {
            return new Outcome.Interrupted(e.reason());
        } catch (CatalogException e) {
            log.warn("Job {} failed", job.id(), e);
            return new Outcome.Failed(new JobFailure(
                    run.phase(), e.text(), e.code().isPassing(), e.code().number()));
        } catch (Exception | LinkageError | OutOfMemoryError e) {
            log.error("Job {} failed unexpectedly", job.id(), e);
            return new Outcome.Failed(
                    new JobFailure(run.phase(), "The job failed unexpectedly; the worker's log has the cause.", true));
        }
    }

    private static <S extends Record> ObjectNode run(@Nullable JobKind<S> kind, Job job, JobRun run) throws Exception {
        if (kind == null) {
            throw new IllegalStateException("a job of an unknown kind was taken: " + job.kind());
        }
        return kind.run(JSON.treeToValue(job.spec(), kind.specType()), run);
    }

    /** The events come first: who sees that a job has ended finds them complete. */
    private void end(JobRun run, Outcome outcome) {
        run.beat();
        JobClaim claim = run.claim();
        if (run.isLost() || outcome.equals(LOST)) {
            log.warn("Job {} is no longer this worker's; what it did last does not count.", claim.id());
            return;
        }
        Optional<Job> after = recorded(claim, outcome);
        log.info("Job {}: {}", claim.id(), after.map(job -> job.state().name()).orElse("another's"));
    }

    private Optional<Job> recorded(JobClaim claim, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done done -> {
                claims.tellEnd(claim.job(), id, "worker", "done", "The job is done.");
                yield claims.succeed(claim, done.result());
            }
            case Outcome.Failed failed -> {
                JobFailure failure = failed.failure();
                String state = JobClaims.isTriedAgain(claim.job(), failure) ? "retry" : "failed";
                claims.tellEnd(claim.job(), id, "worker", state, failure.message());
                yield claims.fail(claim, failure);
            }
            case Outcome.Interrupted interrupted
            when interrupted.reason() == JobInterrupted.Reason.CANCELLED -> {
                claims.tellEnd(claim.job(), id, "worker", "cancelled", "The job ended as asked.");
                yield claims.cancelled(claim);
            }
            case Outcome.Interrupted interrupted -> {
                claims.tellEnd(claim.job(), id, "worker", "retry", "The worker stops; the job goes back.");
                yield claims.putBack(claim);
            }
        };
    }
}
