package io.rask.catalog.jobs;

import io.rask.catalog.job.WorkerFolders;
import io.rask.catalog.platform.Background;
import io.rask.catalog.platform.CatalogProperties;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker process that this server has started. The pipe to its standard input ties the two together: a byte wakes it, and its end,
 * which comes with the end of this process however that ends, stops it.
 */
final class WorkerProcess {
    private static final Logger log = LoggerFactory.getLogger(WorkerProcess.class);
    private static final int FIRST_WITH_UNSAFE_WARNING = 23;
    private static final int SIGNALS = 128;
    /** As in {@code bin/catalog}: without the warning, on every store that is opened, of a throttle that is off on purpose. */
    private static final String LIBRARY_LOG = "warn,lance_io::object_store::providers::aws=error";

    private static final String MAIN = "io.rask.catalog.CatalogApplication";

    private final String id;
    private final Process process;
    private final Path folder;

    private WorkerProcess(String id, Process process, Path folder) {
        this.id = id;
        this.process = process;
        this.folder = folder;
    }

    /** @param settings the server's own, as JSON; they go through the environment, where others cannot read them */
    static WorkerProcess start(CatalogProperties.Jobs jobs, String settings) throws IOException {
        String id = "worker-" + UUID.randomUUID();
        Path folder = WorkerFolders.make();
        try {
            ProcessBuilder builder = new ProcessBuilder(command(jobs, id, folder)).redirectErrorStream(true);
            builder.environment().put("SPRING_APPLICATION_JSON", settings);
            builder.environment().putIfAbsent("LANCE_LOG", LIBRARY_LOG);
            WorkerProcess worker = new WorkerProcess(id, builder.start(), folder);
            Background.start(id + "-log", worker::log);
            return worker;
        } catch (IOException e) {
            WorkerFolders.remove(folder);
            throw e;
        }
    }

    private static List<String> command(CatalogProperties.Jobs jobs, String id, Path folder) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx" + jobs.workerHeap().toMegabytes() + "m",
                "-XX:+UseSerialGC",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("jvm-error.log"),
                "-Djava.io.tmpdir=" + folder));
        if (Runtime.version().feature() >= FIRST_WITH_UNSAFE_WARNING) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                MAIN,
                "worker",
                "--worker.id=" + id,
                "--worker.spawned=true",
                "--logging.pattern.console=%-5level %logger{0} - %msg%n%wEx"));
        return command;
    }

    /** Whatever happens here: a worker whose output nobody reads stands still. */
    private void log() {
        try {
            BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.info("[{}] {}", process.pid(), line);
            }
            lines.close();
        } catch (IOException | UncheckedIOException e) {
            log.debug("The output of worker {} ended.", process.pid(), e);
        }
    }

    String id() {
        return id;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void onExit(Runnable then) {
        process.onExit().thenRun(then);
    }

    /** Says that there is work. A worker that is about to end does not hear it; its end is noticed. */
    void wake() {
        try {
            OutputStream pipe = process.getOutputStream();
            pipe.write('\n');
            pipe.flush();
        } catch (IOException e) {
            log.debug("Worker {} is ending.", process.pid(), e);
        }
    }

    /** How it ended. */
    int exitStatus() {
        return process.exitValue();
    }

    /** How it ended, for people. */
    String cause() {
        int status = process.exitValue();
        return status > SIGNALS ? "killed by signal " + (status - SIGNALS) : "exit status " + status;
    }

    /** Lets it give its job back and end. */
    void askToStop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            log.debug("Worker {} ended before.", process.pid(), e);
        }
    }

    /** Waits for its end; kills it when that does not come in time. */
    void awaitEnd(Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            log.warn("Worker {} does not end; it is killed.", process.pid());
            process.destroyForcibly().waitFor();
        }
    }

    void removeFolder() {
        WorkerFolders.remove(folder);
    }

    @Override
    public String toString() {
        return "worker process " + process.pid();
    }
}
