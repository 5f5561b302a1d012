package io.rask.catalog.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each place that makes threads is one where somebody has decided what becomes of the work when the thread ends of an error. */
class BackgroundThreadsTest {
    private static final Path SOURCES = Path.of("src/main/java/io/rask/catalog");
    private static final Pattern MAKES_THREADS = Pattern.compile(
            "Thread\\.of(Virtual|Platform)|startVirtualThread|Executors\\.new|new Thread\\(|new Timer\\(");

    @Test
    void everyPlaceThatMakesThreadsIsKnown() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            assertThat(files.filter(BackgroundThreadsTest::makesThreads)
                            .map(file -> SOURCES.relativize(file).toString()))
                    .containsExactlyInAnyOrder(
                            // Begins its loops again.
                            "platform/Background.java",
                            // Scheduled tasks that are no loops of their own: by Background.task they fail alone.
                            "job/JobWorker.java",
                            "lance/ManifestTidying.java",
                            "lance/UpsertTurns.java",
                            // Whoever gave the task waits for it, and is told what was thrown.
                            "platform/Fanout.java",
                            "access/ProjectAdmins.java",
                            "lance/NativeCalls.java",
                            "record/ConditionalWriteProbe.java",
                            "record/RecordListing.java",
                            // Answers whoever waits, whatever is thrown; the records of the drops make up for the rest.
                            "lifecycle/ByteDeletions.java",
                            // Ends the query when it cannot watch it.
                            "lance/sql/EngineWatch.java",
                            // Ends the process, which its server starts again; and runs once, at the end.
                            "WorkerApplication.java");
        }
    }

    private static boolean makesThreads(Path file) {
        try {
            return file.toString().endsWith(".java")
                    && MAKES_THREADS.matcher(Files.readString(file)).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
