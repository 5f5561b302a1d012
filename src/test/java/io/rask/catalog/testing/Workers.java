package io.rask.catalog.testing;

import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobClaims;
import io.rask.catalog.job.JobEvents;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobState;
import io.rask.catalog.job.JobWorker;
import io.rask.catalog.lifecycle.DeleteBytes;
import io.rask.catalog.platform.CatalogProperties;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The worker processes that the servers of this process have begun. */
public final class Workers {
    private Workers() {}

    /** Kills them in the midst of what they do; other servers that tests have started live on. */
    public static void kill() {
        ProcessHandle.current().children().filter(Workers::isJava).forEach(ProcessHandle::destroyForcibly);
    }

    /** Has all jobs of a server that starts no workers done now, those too that wait for their time; none may fail. */
    public static void finish(RunningServer server) {
        JobRegistry jobs = server.bean(JobRegistry.class);
        List<Job> open = jobs.open();
        if (open.isEmpty()) {
            return;
        }
        JobWorker worker = new JobWorker(
                server.bean(JobClaims.class),
                server.bean(JobEvents.class),
                server.bean(Clock.class),
                server.bean(CatalogProperties.class),
                List.of(server.bean(DeleteBytes.class)),
                "worker-" + UUID.randomUUID());
        Thread running = Thread.ofPlatform().daemon().start(() -> {
            try {
                worker.run(null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            for (Job job : open) {
                jobs.hasten(job.id());
                worker.wake();
                Job ended = jobs.await(job, Duration.ofSeconds(30));
                if (ended.state() != JobState.DONE) {
                    throw new AssertionError("a job ended otherwise: " + ended);
                }
            }
            worker.stop();
            running.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            worker.stop();
        }
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> Path.of(command).getFileName().toString().equals("java"))
                .orElse(false);
    }
}
