package io.rask.catalog.job;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.testing.ArrowStreams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.lance.Dataset;
import org.lance.index.DistanceType;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.vector.VectorIndexParams;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A job that does what a test wants in a real worker process, and tells of it through files. */
@Component
public final class TrialJob extends JobKind<TrialJob.Spec> {
    public static final String NAME = "trial";
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    /** What to do. */
    public enum Act {
        /** Takes steps until the file {@code go} is there. */
        WAIT,
        /** Waits like {@link #WAIT}, but as native code does: without looking whether it may go on; then commits. */
        WAIT_AND_COMMIT,
        /** Ends the process as a panic of the native library does. */
        ABORT,
        /** Commits, and in the first attempt dies before that can be recorded. */
        COMMIT_AND_DIE,
        /** Fails for good. */
        REFUSE
    }

    TrialJob() {
        super(NAME, Spec.class);
    }

    /** @param folder where the files are */
    public record Spec(Act act, String folder) {}

    public static JobSpec spec(Act act, Path folder, Duration delay) {
        return new JobSpec(NAME, null, null, new Spec(act, folder.toString()), delay);
    }

    @Override
    public ObjectNode run(Spec spec, JobRun run) throws Exception {
        Path folder = Path.of(spec.folder());
        run.phase("trying " + spec.act());
        Files.writeString(
                folder.resolve("started-" + run.attempt()),
                String.valueOf(ProcessHandle.current().pid()));
        switch (spec.act()) {
            case WAIT -> {
                for (long step = 0; !Files.exists(folder.resolve("go")); step++) {
                    run.progress(step, step + 1, "steps");
                    LockSupport.parkNanos(LOOK_EVERY.toNanos());
                }
            }
            case WAIT_AND_COMMIT -> {
                while (!Files.exists(folder.resolve("go"))) {
                    LockSupport.parkNanos(LOOK_EVERY.toNanos());
                }
                commit(folder, run);
            }
            case ABORT -> abort(folder.resolve("vectors-" + run.attempt()));
            case COMMIT_AND_DIE -> commitAndDie(folder, run);
            case REFUSE -> throw CatalogException.invalid("This cannot be done.");
        }
        return JsonNodeFactory.instance.objectNode().put("attempt", run.attempt());
    }

    private static void commit(Path folder, JobRun run) throws IOException {
        run.beforeCommit(JsonNodeFactory.instance.objectNode().put("mark", "m" + run.attempt()));
        Files.writeString(folder.resolve("commits"), run.jobId() + " " + run.attempt() + "\n", CREATE, APPEND);
    }

    private static void commitAndDie(Path folder, JobRun run) throws IOException {
        Optional<ObjectNode> intended = run.intended();
        if (intended.isPresent() && Files.exists(folder.resolve("commits"))) {
            return;
        }
        commit(folder, run);
        if (run.attempt() == 1) {
            Runtime.getRuntime().halt(137);
        }
    }

    private static void abort(Path place) throws Exception {
        List<List<Object>> rows = List.of(List.of(List.of(1f, 2f)), List.of(List.of(3f, 4f)));
        byte[] stream = ArrowStreams.of(List.of(ArrowStreams.vector("v", 2)), rows);
        try (BufferAllocator memory = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(stream), memory);
                ArrowArrayStream exported = ArrowArrayStream.allocateNew(memory)) {
            Data.exportArrayStream(memory, reader, exported);
            try (Dataset table = Dataset.write().allocator(memory).stream(exported)
                    .uri(place.toString())
                    .execute()) {
                VectorIndexParams none = VectorIndexParams.ivfFlat(0, DistanceType.L2);
                table.createIndex(
                        List.of("v"),
                        IndexType.VECTOR,
                        Optional.of("none"),
                        IndexParams.builder().setVectorIndexParams(none).build(),
                        true);
            }
        }
    }
}
