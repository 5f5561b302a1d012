package io.rask.catalog.jobs;

import io.rask.catalog.job.JobBell;
import io.rask.catalog.job.JobClaims;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobRetention;
import io.rask.catalog.platform.Background;
import io.rask.catalog.platform.CatalogProperties;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Starts workers when there is work, starts them again when they die, each time a little later, and takes their jobs back at once. An
 * idle catalog has none.
 */
@Component
final class WorkerSupervisor implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(WorkerSupervisor.class);
    private static final Duration PATIENCE = Duration.ofSeconds(18);
    private static final Duration SWEEP_EVERY = Duration.ofHours(1);
    /** Soon after the start, so that servers that never live long sweep too. */
    private static final Duration FIRST_SWEEP = Duration.ofMinutes(5);

    private static final Duration GO_ON_SWEEPING = Duration.ofSeconds(1);
    private static final long FIRST_PAUSE_MILLIS = 250;
    private static final int MOST_DOUBLINGS = 8;
    /** How many looks for the work of others a worker makes for one of the server. */
    private static final int RARER = 3;

    private final CatalogProperties.Jobs settings;
    private final WorkerSettings passedOn;
    private final JobRegistry jobs;
    private final JobClaims claims;
    private final JobRetention retention;
    private final String self = "server-" + UUID.randomUUID();
    private final Semaphore bell = new Semaphore(0);
    private final List<WorkerProcess> workers = new CopyOnWriteArrayList<>();

    private volatile boolean running;
    private @Nullable Thread thread;
    private int deaths;
    /** Workers that die at once must not become a storm of processes; by {@link System#nanoTime}. */
    private long startAfter = System.nanoTime();

    private long sweepAt = System.nanoTime() + FIRST_SWEEP.toNanos();

    WorkerSupervisor(
            CatalogProperties properties,
            WorkerSettings passedOn,
            JobRegistry jobs,
            JobClaims claims,
            JobRetention retention,
            JobBell ringing) {
        this.settings = properties.jobs();
        this.passedOn = passedOn;
        this.jobs = jobs;
        this.claims = claims;
        this.retention = retention;
        ringing.onRing(this::ring);
    }

    private void ring() {
        workers.forEach(WorkerProcess::wake);
        bell.release();
    }

    @Override
    public void start() {
        running = true;
        thread = Background.start("worker-supervisor", this::watch);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void stop() {
        Thread watching = thread;
        if (!running || watching == null) {
            return;
        }
        running = false;
        bell.release();
        try {
            watching.join(PATIENCE);
            workers.forEach(WorkerProcess::askToStop);
            for (WorkerProcess worker : workers) {
                worker.awaitEnd(PATIENCE);
                bury(worker);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch() throws InterruptedException {
        long pause = 0;
        while (running) {
            bell.tryAcquire(pause, TimeUnit.MILLISECONDS);
            bell.drainPermits();
            buryTheDead();
            pause = settings.poll().multipliedBy(RARER).toMillis();
            if (settings.isSpawned() && running) {
                pause = Math.min(pause, staffed());
            }
            if (System.nanoTime() - sweepAt > 0) {
                Duration next = isSwept() ? SWEEP_EVERY : GO_ON_SWEEPING;
                sweepAt = System.nanoTime() + next.toNanos();
                pause = Math.min(pause, next.toMillis());
            }
        }
    }

    /** Starts workers if there is work for them; returns how many milliseconds to wait until the next look. */
    private long staffed() {
        try {
            if (workers.size() >= settings.workers() || !jobs.hasWork()) {
                return Long.MAX_VALUE;
            }
            long tooEarly = TimeUnit.NANOSECONDS.toMillis(startAfter - System.nanoTime());
            if (tooEarly > 0) {
                return tooEarly;
            }
            while (workers.size() < settings.workers() && running) {
                WorkerProcess worker = WorkerProcess.start(settings, passedOn.json());
                log.info("There is work: started {}", worker);
                workers.add(worker);
                worker.onExit(bell::release);
            }
        } catch (IOException | RuntimeException e) {
            log.warn("No worker can be started, or it cannot be seen whether one is needed; trying again.", e);
        }
        return Long.MAX_VALUE;
    }

    private void buryTheDead() {
        for (WorkerProcess worker : workers) {
            if (!worker.isAlive()) {
                bury(worker);
            }
        }
    }

    private void bury(WorkerProcess worker) {
        workers.remove(worker);
        worker.removeFolder();
        if (worker.exitStatus() == 0) {
            deaths = 0;
            return;
        }
        log.warn("The {} died: {}", worker, worker.cause());
        // Who dies of a job has been started well, and the job is not taken again at once, nor for ever.
        deaths = released(worker) ? 1 : Math.min(deaths + 1, MOST_DOUBLINGS);
        startAfter = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FIRST_PAUSE_MILLIS << deaths);
    }

    private boolean released(WorkerProcess worker) {
        try {
            return claims.release(worker.id(), self, worker.cause());
        } catch (RuntimeException e) {
            log.warn("The jobs of the {} wait for the end of their leases.", worker, e);
            return false;
        }
    }

    private boolean isSwept() {
        try {
            return !retention.sweep(self);
        } catch (RuntimeException e) {
            log.warn("Old jobs are kept until the next time.", e);
            return true;
        }
    }
}
