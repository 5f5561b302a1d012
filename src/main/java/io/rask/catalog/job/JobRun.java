package io.rask.catalog.job;

import io.rask.catalog.access.Principal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One attempt at a job, as its kind sees it. The lease is renewed by {@link #beat} in the background; every call of the kind ends the
 * run by {@link JobInterrupted} once it may not go on.
 */
public final class JobRun {
    private static final Logger log = LoggerFactory.getLogger(JobRun.class);

    private final JobClaims claims;
    private final JobEvents events;
    private final Clock clock;
    private final String worker;
    private final List<JobEvent> untold = new ArrayList<>();

    private JobClaim claim;
    private boolean lost;
    private boolean stopping;
    private Job.@Nullable Progress progress;
    private String phase = "starting";
    /** Touched by the thread of the work alone. */
    private int nextKept;

    JobRun(JobClaims claims, JobEvents events, Clock clock, String worker, JobClaim claim) {
        this.claims = claims;
        this.events = events;
        this.clock = clock;
        this.worker = worker;
        this.claim = claim;
    }

    /** The id of the job. */
    public String jobId() {
        return claim.id();
    }

    /** Who asked for the job; empty where nobody did, or nobody noted it. */
    public Optional<Principal> askedBy() {
        return Optional.ofNullable(claim().job().askedBy());
    }

    /** Who does it, as leases and events name the worker. */
    String worker() {
        return worker;
    }

    /** Which attempt this is, from 1. */
    public synchronized int attempt() {
        return claim.job().attempts();
    }

    /** What an earlier attempt was about to commit, and may have committed. */
    public synchronized Optional<ObjectNode> intended() {
        return Optional.ofNullable(claim.job().intent());
    }

    /** What attempts have kept of their work, oldest first: this one and those before it. */
    public List<ObjectNode> kept() {
        return claims.kept(claim());
    }

    /**
     * Keeps a part of the work for the attempts after this one. It goes when the job ends.
     *
     * @throws JobInterrupted when the job is no longer this worker's
     */
    public void keep(ObjectNode work) {
        // First that there is something, so that whoever ends the job removes it.
        if (!renew(node -> node.put(JobFields.KEPT, true))) {
            throw new JobInterrupted(JobInterrupted.Reason.LOST);
        }
        nextKept = 1 + claims.keep(claim(), nextKept, work);
        checkpoint();
    }

    /** Says what comes next, in a form that fits after "while": {@code compacting the table}. It is what is told after a crash. */
    public void phase(String next) {
        synchronized (this) {
            phase = next;
        }
        renew(node -> {});
        checkpoint();
    }

    /** Says how far the job is; written with the next beat. */
    public void progress(long done, long total, String unit) {
        synchronized (this) {
            progress = new Job.Progress(done, total, unit);
        }
        checkpoint();
    }

    /** Adds an event; written with the next beat. */
    public synchronized void tell(String state, @Nullable Long rows, String message) {
        untold.add(new JobEvent(clock.instant(), state, worker, "worker", worker, attempt(), rows, message));
    }

    /** Ends the run if it may not go on. To be called between any two steps. */
    public synchronized void checkpoint() {
        if (lost || !clock.instant().isBefore(claim.end())) {
            throw new JobInterrupted(JobInterrupted.Reason.LOST);
        }
        if (claim.job().cancelRequested()) {
            throw new JobInterrupted(JobInterrupted.Reason.CANCELLED);
        }
        if (stopping) {
            throw new JobInterrupted(JobInterrupted.Reason.STOPPING);
        }
    }

    /**
     * The last step before a commit: renews the lease in the store and writes there, in the same step, how the commit can be told.
     * Without it nobody else could say whether this attempt committed.
     *
     * @param intent what identifies the commit afterwards
     * @throws JobInterrupted when the job is no longer this worker's; nothing may be committed then
     */
    public void beforeCommit(ObjectNode intent) {
        ObjectNode marked = intent.deepCopy();
        marked.put("attempt", attempt());
        marked.put("job_id", jobId());
        if (!renew(node -> node.set(JobFields.INTENT, marked))) {
            throw new JobInterrupted(JobInterrupted.Reason.LOST);
        }
        checkpoint();
    }

    /** Renews the lease and writes what is new; a store that fails is asked again at the next beat. */
    void beat() {
        try {
            renew(node -> {});
        } catch (RuntimeException e) {
            log.warn("The lease of the job {} could not be renewed yet.", jobId(), e);
        }
    }

    private synchronized boolean renew(Consumer<ObjectNode> news) {
        if (lost) {
            return false;
        }
        Optional<JobClaim> renewed = claims.renew(claim, node -> {
            node.put(JobFields.PHASE, phase);
            Job.Progress now = progress;
            if (now != null) {
                node.putObject(JobFields.PROGRESS)
                        .put("done", now.done())
                        .put("total", now.total())
                        .put("unit", now.unit());
            }
            news.accept(node);
        });
        lost = renewed.isEmpty();
        renewed.ifPresent(next -> claim = next);
        flush();
        return !lost;
    }

    private void flush() {
        if (!untold.isEmpty()) {
            events.append(jobId(), List.copyOf(untold));
            untold.clear();
        }
    }

    synchronized boolean isLost() {
        return lost;
    }

    synchronized void stop() {
        stopping = true;
    }

    synchronized JobClaim claim() {
        return claim;
    }

    synchronized String phase() {
        return phase;
    }
}
