package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.job.JobState;
import io.rask.catalog.job.TrialJob;
import io.rask.catalog.job.TrialJob.Act;
import io.rask.catalog.lifecycle.DeleteBytes;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers and workers as processes of their own, ended in every way. */
class WorkerProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Map<String, String> SETTINGS =
            Map.of("lance.jobs.poll", "200ms", "lance.jobs.lease", "3s", "lance.jobs.backoff", "100ms");

    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();
    private RunningServer observer;

    @BeforeEach
    void start() {
        // A server without workers of its own: it gives work and sees what becomes of it.
        observer = RunningServer.on(folder, with("lance.jobs.worker", "none"));
    }

    @AfterEach
    void stop() {
        observer.close();
        processes.forEach(Process::destroyForcibly);
    }

    private static Map<String, String> with(String name, String value) {
        Map<String, String> all = new java.util.HashMap<>(SETTINGS);
        all.put(name, value);
        return all;
    }

    /** Starts the application in a process of its own, as the launcher does. */
    private Process application(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.rask.catalog.CatalogApplication"));
        command.addAll(arguments);
        command.add("--lance.rest.root=" + folder.resolve("lance"));
        command.add("--lance.control.root=" + folder.resolve("control"));
        command.add("--lance.storage.allowed-roots=" + folder);
        SETTINGS.forEach((name, value) -> command.add("--" + name + "=" + value));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log-" + processes.size()).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private Path trial(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    private String submit(Act act, Path place) {
        return observer.bean(JobRegistry.class)
                .submit(TrialJob.spec(act, place, Duration.ZERO))
                .id();
    }

    private static ProcessHandle started(Path place, int attempt) {
        Path file = place.resolve("started-" + attempt);
        await().atMost(PATIENCE).until(() -> Files.exists(file) && Files.size(file) > 0);
        try {
            return ProcessHandle.of(Long.parseLong(Files.readString(file))).orElseThrow();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private JobState state(String job) {
        return observer.bean(JobRegistry.class).require(job).state();
    }

    @Test
    void theEndOfAServerWhateverItIsEndsItsWorkersAndTheirJobsGoBack() throws Exception {
        Process server = application(List.of("--server.port=0"));
        Path place = trial("orphaned");
        String job = submit(Act.WAIT, place);
        ProcessHandle worker = started(place, 1);
        assertThat(worker.parent()).hasValue(server.toHandle());
        server.destroyForcibly().waitFor();
        await().atMost(PATIENCE).until(() -> !worker.isAlive());
        await().atMost(PATIENCE).until(() -> state(job) == JobState.QUEUED);
        assertThat(observer.bean(JobRegistry.class).require(job).attempts())
                .as("a worker that stops has not tried")
                .isZero();
    }

    @Test
    void workersStartedAloneShareTheWorkAndOneThatVanishesIsReplaced() throws Exception {
        Process one = application(List.of("worker"));
        Process other = application(List.of("worker"));
        Path place = trial("alone");
        String job = submit(Act.WAIT_AND_COMMIT, place);
        ProcessHandle first = started(place, 1);
        assertThat(first.pid()).isIn(one.pid(), other.pid());
        // Stopped, it cannot renew its lease; going on later, it must not commit.
        signal("STOP", first);
        ProcessHandle second = started(place, 2);
        assertThat(second.pid()).isNotEqualTo(first.pid());
        signal("CONT", first);
        Files.createFile(place.resolve("go"));
        await().atMost(PATIENCE).until(() -> state(job) == JobState.DONE);
        assertThat(Files.readAllLines(place.resolve("commits"))).containsExactly(job + " 2");
        Path next = trial("next");
        String stopped = submit(Act.WAIT, next);
        ProcessHandle gentle = started(next, 1);
        gentle.destroy();
        await().atMost(PATIENCE).until(() -> !gentle.isAlive());
        assertThat(observer.bean(JobRegistry.class).require(stopped).attempts()).isLessThanOrEqualTo(1);
        Files.createFile(next.resolve("go"));
        await().atMost(PATIENCE).until(() -> state(stopped) == JobState.DONE);
        try (Stream<Path> left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(left.filter(file -> file.getFileName().toString().startsWith("catalog-worker-" + gentle.pid())))
                    .isEmpty();
        }
    }

    @Test
    void aWarehouseThatIsMadeAfterAWorkerBeganIsWorkedOnByThatWorker() throws Exception {
        Process worker = application(List.of("worker"));
        Path place = trial("begun");
        String first = submit(Act.WAIT, place);
        assertThat(started(place, 1)).isEqualTo(worker.toHandle());
        Files.createFile(place.resolve("go"));
        await().atMost(PATIENCE).until(() -> state(first) == JobState.DONE);
        observer.makeNamespace("acme", "lake-late", "late");
        String table = "/v1/table/" + id("late", "t");
        observer.arrow(table + "/create", Rows.THREE).ok();
        observer.arrow(table + "/insert", Rows.THREE).ok();
        String compaction = observer.post(table + "/maintenance/compact", "{}")
                .json()
                .path("job_id")
                .asString();
        String scan = observer.post("/v1/warehouses/lake-late/orphans/scan", "{}")
                .json()
                .path("job_id")
                .asString();
        for (String job : List.of(compaction, scan)) {
            await().atMost(PATIENCE).until(() -> state(job) == JobState.DONE);
        }
        assertThat(worker.isAlive()).isTrue();
        assertThat(observer.post(table + "/count_rows").ok().text()).isEqualTo("6");
    }

    private static void signal(String name, ProcessHandle process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void aDropThatWasInterruptedIsFinishedAndOneThatNeverHappenedIsNot() throws Exception {
        observer.makeNamespace("acme", "lake-drops", "sales");
        String kept = "/v1/table/" + id("sales", "kept");
        observer.arrow(kept + "/create", Rows.THREE).ok();
        Path root = folder.resolve("lance/lake-drops");
        Path lost = Files.createDirectories(root.resolve("00000001_sales$lost/data"));
        Files.writeString(lost.resolve("x.lance"), "bytes");
        String location;
        try (Stream<Path> folders = Files.list(root)) {
            location = folders.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith("kept"))
                    .findFirst()
                    .orElseThrow();
        }
        JobRegistry jobs = observer.bean(JobRegistry.class);
        String uri = root.toUri().toString().replaceAll("/+$", "");
        DeleteBytes.Spec spec = new DeleteBytes.Spec(
                uri,
                List.of(
                        new DeleteBytes.Dropped("sales$lost", "00000001_sales$lost"),
                        new DeleteBytes.Dropped("sales$kept", location)),
                null);
        String job = jobs.submit(new JobSpec("delete_bytes", null, null, spec, Duration.ZERO))
                .id();
        application(List.of("worker"));
        await().atMost(PATIENCE).until(() -> state(job).isTerminal());
        var result = jobs.require(job).result();
        assertThat(result).isNotNull();
        assertThat(result.path("deleted").asInt()).isEqualTo(1);
        assertThat(result.path("not_needed").asInt()).isEqualTo(1);
        assertThat(root.resolve("00000001_sales$lost")).doesNotExist();
        assertThat(observer.post(kept + "/count_rows").ok().text()).isEqualTo("3");
    }
}
