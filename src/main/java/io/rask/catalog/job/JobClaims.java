package io.rask.catalog.job;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.wire.WireJson;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who works on a job. The lease is part of the job's record, so taking, renewing and finishing are one conditional write each, and
 * a worker that lost its job cannot change it: its token is no longer the record's.
 */
@Component
public final class JobClaims {
    private static final JsonMapper JSON = WireJson.mapper();
    private static final int MOST_DOUBLINGS = 20;
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final JobRecords records;
    private final JobRegistry registry;
    private final JobEvents events;
    private final Clock clock;
    private final CatalogProperties.Jobs settings;

    JobClaims(JobRecords records, JobRegistry registry, JobEvents events, Clock clock, CatalogProperties properties) {
        this.records = records;
        this.registry = registry;
        this.events = events;
        this.clock = clock;
        this.settings = properties.jobs();
    }

    /** Takes the oldest job of these kinds that nobody owns. */
    Optional<JobClaim> take(String worker, Set<String> kinds) {
        for (Job job : registry.open()) {
            if (kinds.contains(job.kind()) && registry.isTakeable(job)) {
                Optional<JobClaim> claim = take(worker, job.id());
                if (claim.isPresent()) {
                    return claim;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<JobClaim> take(String worker, String id) {
        String grant = UUID.randomUUID().toString();
        Instant end = leaseEnd();
        boolean[] abandoned = {false};
        Optional<Job> taken = records.change(id, node -> {
            Job now = Job.of(node);
            if (!registry.isTakeable(now)) {
                return node;
            }
            abandoned[0] = now.state() == JobState.RUNNING;
            return begun(node, now, worker, grant, end);
        });
        if (taken.isEmpty()) {
            return Optional.empty();
        }
        Job job = taken.get();
        if (job.state() == JobState.RUNNING && job.grant().equals(grant)) {
            if (abandoned[0]) {
                tell(job, "claim_lost", worker, "worker", null, "The worker before stopped renewing its lease.");
            }
            tell(job, "claim", worker, "worker", null, "Attempt " + job.attempts() + " begins.");
            return Optional.of(new JobClaim(job, end));
        }
        if (abandoned[0] && job.state().isTerminal()) {
            JobFailure failure = job.failure();
            String message = failure == null ? "The job ended as asked." : failure.message();
            tellEnd(job, worker, "worker", job.state().recordName(), message);
        }
        return Optional.empty();
    }

    private ObjectNode begun(ObjectNode node, Job now, String worker, String grant, Instant end) {
        if (now.cancelRequested()) {
            return ended(node, JobState.CANCELLED);
        }
        if (!mayBeginAgain(now)) {
            return failed(node, new JobFailure(now.phase(), died(now, "it stopped renewing its lease"), true));
        }
        node.put(JobFields.STATE, JobState.RUNNING.recordName());
        node.put(JobFields.ATTEMPTS, now.attempts() + 1);
        node.put(JobFields.TOKEN, now.token() + 1);
        node.put(JobFields.GRANT, grant);
        node.put(JobFields.WORKER, worker);
        node.put(JobFields.LEASE_END, end.toString());
        node.put(JobFields.PHASE, "starting");
        node.remove(JobFields.FAILURE);
        if (!node.has(JobFields.STARTED_AT)) {
            node.put(JobFields.STARTED_AT, clock.instant().toString());
        }
        return node;
    }

    /**
     * Holds the job for another lease and writes what is new about it.
     *
     * @return empty when the job is another's, or has ended
     */
    Optional<JobClaim> renew(JobClaim claim, Consumer<ObjectNode> news) {
        Instant end = leaseEnd();
        return changeOwned(claim, node -> {
                    news.accept(node);
                    node.put(JobFields.LEASE_END, end.toString());
                })
                .filter(job -> job.state() == JobState.RUNNING)
                .map(job -> new JobClaim(job, end));
    }

    /** What attempts at the job have kept, oldest first. */
    List<ObjectNode> kept(JobClaim claim) {
        return records.kept(claim.id());
    }

    /** Adds to it, under the first number from {@code from} on that is free, and returns that. */
    int keep(JobClaim claim, int from, ObjectNode work) {
        return records.keep(claim.id(), from, work);
    }

    /** Ends the job with a result; empty when it is another's. */
    Optional<Job> succeed(JobClaim claim, ObjectNode result) {
        return changeOwned(claim, node -> {
            node.set(JobFields.RESULT, result);
            ended(node, JobState.DONE);
        });
    }

    Optional<Job> cancelled(JobClaim claim) {
        return changeOwned(claim, node -> ended(node, JobState.CANCELLED));
    }

    /** Ends the attempt with a failure; the job goes back for another one where that may help. */
    Optional<Job> fail(JobClaim claim, JobFailure failure) {
        return changeOwned(claim, node -> failedOrBack(node, claim.job(), failure));
    }

    /** Gives the job back as if this attempt had not been. */
    Optional<Job> putBack(JobClaim claim) {
        return changeOwned(claim, node -> {
            back(node, Duration.ZERO);
            node.put(JobFields.ATTEMPTS, claim.job().attempts() - 1);
        });
    }

    /**
     * Takes the jobs away from a worker that is known to be dead, so that they need not wait for the end of its lease.
     *
     * @param cause how it ended, such as {@code exit status 134}
     * @return whether it had any
     */
    public boolean release(String worker, String by, String cause) {
        boolean had = false;
        for (Job job : registry.open()) {
            if (job.state() == JobState.RUNNING && worker.equals(job.worker())) {
                release(job, by, cause);
                had = true;
            }
        }
        return had;
    }

    private void release(Job job, String by, String cause) {
        JobFailure failure = new JobFailure(job.phase(), died(job, cause), true);
        tell(job, "claim_lost", by, "server", null, failure.message());
        if (job.cancelRequested()) {
            tellEnd(job, by, "server", "cancelled", "The job ended as asked.");
        } else if (!isTriedAgain(job, failure)) {
            tellEnd(job, by, "server", "failed", failure.message());
        }
        changeOwned(new JobClaim(job, Instant.EPOCH), node -> {
            if (node.path(JobFields.CANCEL_REQUESTED).asBoolean(false)) {
                ended(node, JobState.CANCELLED);
            } else {
                failedOrBack(node, job, failure);
            }
        });
    }

    private static String died(Job job, String cause) {
        return "The worker process died while " + job.phase() + " (" + cause + "), in attempt " + job.attempts()
                + " of " + job.maxAttempts() + ".";
    }

    private Optional<Job> changeOwned(JobClaim claim, Consumer<ObjectNode> change) {
        boolean[] owned = {false};
        Optional<Job> after = records.change(claim.id(), node -> {
            owned[0] = node.path(JobFields.TOKEN).asLong(0) == claim.token()
                    && node.path(JobFields.STATE).asString().equals(JobState.RUNNING.recordName());
            if (owned[0]) {
                change.accept(node);
            }
            return node;
        });
        return owned[0] ? after : Optional.empty();
    }

    private void failedOrBack(ObjectNode node, Job job, JobFailure failure) {
        if (isTriedAgain(job, failure)) {
            node.set(JobFields.FAILURE, JSON.<JsonNode>valueToTree(failure));
            back(node, pause(job));
        } else {
            failed(node, failure);
        }
    }

    private Duration pause(Job job) {
        Duration pause = settings.backoff().multipliedBy(1L << Math.clamp(job.attempts() - 1, 0, MOST_DOUBLINGS));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private void back(ObjectNode node, Duration delay) {
        node.put(JobFields.STATE, JobState.QUEUED.recordName());
        node.put(JobFields.NOT_BEFORE, clock.instant().plus(delay).toString());
        node.remove(JobFields.LEASE_END);
        // A token of its own for the pause, so that nothing of this attempt counts any more.
        node.put(JobFields.TOKEN, node.path(JobFields.TOKEN).asLong(0) + 1);
    }

    private ObjectNode failed(ObjectNode node, JobFailure failure) {
        node.set(JobFields.FAILURE, JSON.<JsonNode>valueToTree(failure));
        return ended(node, JobState.FAILED);
    }

    private ObjectNode ended(ObjectNode node, JobState state) {
        if (state != JobState.FAILED) {
            node.remove(JobFields.FAILURE);
        }
        node.put(JobFields.STATE, state.recordName());
        node.put(JobFields.FINISHED_AT, clock.instant().toString());
        node.remove(JobFields.LEASE_END);
        return node;
    }

    /** Whether a job whose attempt failed like this is tried once more. */
    static boolean isTriedAgain(Job job, JobFailure failure) {
        return failure.retryable() && mayBeginAgain(job);
    }

    private static boolean mayBeginAgain(Job job) {
        return job.isPatient() || job.attempts() < job.maxAttempts();
    }

    /** Tells that an attempt ends, and how. */
    void tellEnd(Job job, String by, String from, String state, String message) {
        tell(job, "claim_complete", by, from, null, "Attempt " + job.attempts() + " ends.");
        tell(job, state, by, from, null, message);
    }

    void tell(Job job, String state, String by, String from, @Nullable Long rows, String message) {
        events.append(
                job.id(),
                List.of(new JobEvent(clock.instant(), state, by, from, job.worker(), job.attempts(), rows, message)));
    }

    private Instant leaseEnd() {
        return clock.instant().plus(settings.lease());
    }
}
