package io.rask.catalog;

import io.rask.catalog.event.Events;
import io.rask.catalog.job.AnnouncingKind;
import io.rask.catalog.job.JobClaims;
import io.rask.catalog.job.JobEvents;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobWorker;
import io.rask.catalog.job.WorkerFolders;
import io.rask.catalog.platform.CatalogProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.core.env.Environment;

/**
 * A worker: the catalog without its doors. It has no auto-configuration and makes only what jobs use. No stereotype, so that the
 * server's own scan passes it by.
 */
@ComponentScan({
    "io.rask.catalog.platform",
    "io.rask.catalog.record",
    "io.rask.catalog.lance",
    "io.rask.catalog.hierarchy",
    "io.rask.catalog.access",
    "io.rask.catalog.storage",
    "io.rask.catalog.access",
    "io.rask.catalog.lifecycle",
    "io.rask.catalog.event",
    "io.rask.catalog.job",
    "io.rask.catalog.table",
    "io.rask.catalog.version",
    "io.rask.catalog.transaction",
    "io.rask.catalog.maintenance",
    "io.rask.catalog.index",
    "io.rask.catalog.column",
    "io.rask.catalog.view"
})
@EnableConfigurationProperties(CatalogProperties.class)
class WorkerApplication {
    private static final Logger log = LoggerFactory.getLogger(WorkerApplication.class);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final String SPAWNED = "worker.spawned";
    private static final String TEMPORARY = "java.io.tmpdir";

    static void run(String[] args) throws IOException, InterruptedException {
        boolean spawned = List.of(args).contains("--" + SPAWNED + "=true");
        @Nullable Path folder = null;
        if (!spawned) {
            folder = WorkerFolders.make();
            System.setProperty(TEMPORARY, folder.toString());
        }
        SpringApplication application = new SpringApplication(WorkerApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLazyInitialization(true);
        application.setRegisterShutdownHook(false);
        try (ConfigurableApplicationContext context = application.run(args)) {
            JobWorker worker = context.getBean(JobWorker.class);
            stopInOrder(worker, Thread.currentThread());
            if (spawned) {
                Thread.ofPlatform().daemon().name("parent").start(() -> listen(worker));
            }
            log.info("The worker is ready.");
            worker.run(spawned ? context.getBean(CatalogProperties.class).jobs().workerIdle() : null);
        } finally {
            if (folder != null) {
                WorkerFolders.remove(folder);
            }
        }
    }

    @Bean
    JobWorker jobWorker(
            JobClaims claims,
            JobEvents jobEvents,
            Events events,
            Clock clock,
            CatalogProperties properties,
            List<JobKind<?>> kinds,
            Environment environment) {
        String id = environment.getProperty(
                "worker.id", "worker-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID());
        List<JobKind<?>> telling = new ArrayList<>();
        kinds.forEach(kind -> telling.add(AnnouncingKind.of(kind, events)));
        return new JobWorker(claims, jobEvents, clock, properties, telling, id);
    }

    /** On a signal the running job ends at its next step and goes back; native code that does not end in time is left behind. */
    private static void stopInOrder(JobWorker worker, Thread main) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> {
            worker.stop();
            try {
                if (!main.join(PATIENCE)) {
                    worker.abandon();
                }
            } catch (InterruptedException | RuntimeException e) {
                log.warn("The job could not be given back; its lease runs out.", e);
            }
        }));
    }

    /** Each byte from the parent means work; the end of the pipe means that the parent is gone. */
    private static void listen(JobWorker worker) {
        try {
            while (System.in.read() >= 0) {
                worker.wake();
            }
        } catch (IOException e) {
            log.debug("The pipe to the server broke.", e);
        } finally {
            // Also where nobody can listen any more: a worker must not outlive its server.
            System.exit(0);
        }
    }
}
