package io.rask.catalog.conformance;

import io.rask.catalog.testing.OncePerProcess;
import io.rask.catalog.testing.RunningServer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The one server of the conformance tests, with a worker, since views are made by one. Otherwise no request waits for a job: one that is
 * asked for is answered by its id.
 */
final class ConformanceCatalog implements AutoCloseable {
    /** How many Arrow bodies are taken in at a time. */
    static final int UPLOADS = 2;

    private final Path folder;
    private final RunningServer server;
    private final ValidCalls valid;
    private final Supplier<LiveRun> run = SingletonSupplier.of(() -> LiveRun.of(this));

    private ConformanceCatalog() {
        try {
            folder = Files.createTempDirectory("conformance");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server = RunningServer.on(
                folder, Map.of("lance.jobs.inline-wait", "0s", "lance.limits.uploads", String.valueOf(UPLOADS)));
        valid = new ValidCalls(this);
    }

    RunningServer server() {
        return server;
    }

    Path folder() {
        return folder;
    }

    ValidCalls valid() {
        return valid;
    }

    /** What every operation answered, asked once for all tests. */
    LiveRun run() {
        return run.get();
    }

    RawHttp.Answer send(Call call, String... headers) {
        try {
            return new RawHttp(server.port()).send(call.method(), call.target(), call.body(), headers);
        } catch (IOException e) {
            throw new UncheckedIOException(call.toString(), e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        FileSystemUtils.deleteRecursively(folder);
    }

    /** Gives the catalog to the constructor of a test; it ends with the last test of the process. */
    static final class Provider extends OncePerProcess<ConformanceCatalog> {
        Provider() {
            super(ConformanceCatalog.class, ConformanceCatalog::new);
        }
    }
}
