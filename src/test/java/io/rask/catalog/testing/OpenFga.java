package io.rask.catalog.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A real OpenFGA server with its facts in memory, or in a PostgreSQL of its own where {@code -Dopenfga.facts=postgres} says so. Tests
 * share the one of {@link #shared}, each server of the catalog with a store of its own. {@code .ci/openfga} builds it; a machine that
 * has none leaves these tests out, and each says so by its name.
 */
public final class OpenFga implements AutoCloseable {
    /** The version that {@code .ci/openfga} builds. */
    public static final String VERSION = "v1.18.1";

    public static final String TOKEN = "test-permission-token";

    private static @Nullable OpenFga shared;

    private final Path binary;
    private final int port;
    private final @Nullable EmbeddedPostgres postgres;
    private Process process;

    private OpenFga(Path binary, @Nullable EmbeddedPostgres postgres) {
        this.binary = binary;
        this.port = freePort();
        this.postgres = postgres;
        if (postgres != null) {
            migrate();
        }
        this.process = launch();
    }

    /** The one server of all tests of this process; it ends with the process. */
    public static synchronized OpenFga shared() {
        OpenFga known = shared;
        if (known == null) {
            known = "postgres".equals(System.getProperty("openfga.facts")) ? startOnPostgres() : start();
            Runtime.getRuntime().addShutdownHook(new Thread(known::close));
            shared = known;
        }
        return known;
    }

    /** A server of one's own, to be stopped and started again. */
    public static OpenFga start() {
        return new OpenFga(required(), null);
    }

    /** A server of one's own with its facts in PostgreSQL, as an installation has it. */
    public static OpenFga startOnPostgres() {
        Path binary = required();
        try {
            return new OpenFga(binary, EmbeddedPostgres.builder().start());
        } catch (IOException | IllegalStateException e) {
            throw new TestAbortedException("LEFT OUT: PostgreSQL does not start on this machine", e);
        }
    }

    private static Path required() {
        return binary().orElseThrow(() -> new TestAbortedException(
                "LEFT OUT: there is no OpenFGA server on this machine; .ci/openfga builds one, with Go"));
    }

    /** Where the server's program is. */
    public static Optional<Path> binary() {
        String named = System.getenv("OPENFGA_BINARY");
        if (named != null) {
            return Optional.of(Path.of(named));
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path folder = cache == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        Path built = folder.resolve("rask-lance-catalog")
                .resolve("openfga-" + VERSION)
                .resolve("openfga");
        return Optional.of(built).filter(Files::isExecutable);
    }

    /** What a server of the catalog needs to ask this one, in a store of its own. */
    public Map<String, String> settings() {
        return settings(uri());
    }

    /** The same for an engine that is elsewhere and takes {@link #TOKEN}. */
    public static Map<String, String> settings(URI uri) {
        Map<String, String> settings = new HashMap<>();
        settings.put("lance.fga.enabled", "true");
        settings.put("lance.fga.api-url", uri.toString());
        settings.put("lance.fga.token", TOKEN);
        settings.put("lance.fga.store-name", "test-" + UUID.randomUUID());
        // Rights need to know who asks; tests believe a header instead, see HeaderIdentification.
        settings.put("lance.bootstrap.keys.tests.subject", "tests");
        settings.put("lance.bootstrap.keys.tests.key", UUID.randomUUID().toString());
        return settings;
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Kills the server; what it held in memory is gone. */
    public void stop() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts it again at the same address, empty where its facts were in memory. */
    public void restart() {
        process = launch();
    }

    /** Makes it take requests and answer none, as a machine that hangs. */
    public void freeze() {
        signal("STOP");
    }

    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Process launch() {
        Process started = run(
                "run",
                "--http-addr=127.0.0.1:" + port,
                "--grpc-addr=127.0.0.1:" + freePort(),
                "--metrics-enabled=false",
                "--playground-enabled=false",
                "--authn-method=preshared",
                "--authn-preshared-keys=" + TOKEN,
                "--log-level=error");
        await(started);
        return started;
    }

    private void migrate() {
        try {
            int status = run("migrate").waitFor();
            if (status != 0) {
                throw new IllegalStateException("OpenFGA does not prepare its database: " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Process run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        command.addAll(List.of(arguments));
        command.addAll(datastore());
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("OpenFGA does not start", e);
        }
    }

    private List<String> datastore() {
        return postgres == null
                ? List.of("--datastore-engine=memory")
                : List.of(
                        "--datastore-engine=postgres",
                        "--datastore-uri=postgres://postgres@127.0.0.1:" + postgres.getPort()
                                + "/postgres?sslmode=disable");
    }

    private void await(Process started) {
        HttpRequest health = HttpRequest.newBuilder(uri().resolve("/healthz"))
                .timeout(Duration.ofSeconds(2))
                .build();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (true) {
                try {
                    if (http.send(health, BodyHandlers.discarding()).statusCode() == 200) {
                        return;
                    }
                } catch (IOException e) {
                    if (!started.isAlive() || System.nanoTime() > deadline) {
                        throw new IllegalStateException("OpenFGA does not answer", e);
                    }
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        stop();
        if (postgres != null) {
            try {
                postgres.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
