package io.rask.bench;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A server in a process of its own, with the memory it takes. */
final class ServerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final String name;
    private final Process process;
    private final String url;

    private ServerProcess(String name, Process process, String url) {
        this.name = name;
        this.process = process;
        this.url = url;
    }

    /** Starts a command and returns once it answers {@code path} with anything at all. */
    static ServerProcess start(
            String name, Path log, List<String> command, Map<String, String> environment, int port, String path)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        ServerProcess server = new ServerProcess(name, builder.start(), "http://127.0.0.1:" + port);
        server.await(path, log);
        return server;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    String name() {
        return name;
    }

    String url() {
        return url;
    }

    /** Memory that is resident now, in MiB. */
    long resident() throws IOException {
        return status("VmRSS:");
    }

    /** The most memory that was resident since {@link #forgetPeak()}, in MiB. */
    long peak() throws IOException {
        return status("VmHWM:");
    }

    long threads() throws IOException {
        return field("Threads:");
    }

    /** File descriptors that are open now. */
    long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(process.pid()), "fd"))) {
            return open.count();
        }
    }

    /** The processes this one started, at any depth. */
    List<ProcessHandle> children() {
        return process.descendants().toList();
    }

    /** Ends the process at once, as {@code kill -9} does, and leaves what it started to itself. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void forgetPeak() throws IOException {
        Files.writeString(Path.of("/proc", String.valueOf(process.pid()), "clear_refs"), "5");
    }

    private long status(String key) throws IOException {
        return field(key) / 1024;
    }

    private long field(String key) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status"))) {
            if (line.startsWith(key)) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("No " + key + " for process " + process.pid());
    }

    private void await(String path, Path log) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!answers(path)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                close();
                throw new IOException("The " + name + " server does not answer; see " + log);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private boolean answers(String path) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url + path).toURL().openConnection();
            connection.setConnectTimeout(1000);
            connection.setReadTimeout(10_000);
            return connection.getResponseCode() != 503;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
