package io.rask.catalog.deployment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A real nginx in front of servers, with the configuration that the documents recommend. */
final class Nginx implements AutoCloseable {
    private static final Path CONFIGURATION = Path.of("docs", "nginx", "catalog.conf");
    private static final int PATIENCE_SECONDS = 30;

    private final Process process;
    private final Path folder;
    final int port;

    private Nginx(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /** The program, where this machine has it. */
    static Optional<Path> program() {
        String path = String.valueOf(System.getenv("PATH"));
        return Stream.concat(Stream.of(path.split(":", -1)), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(folder -> Path.of(folder, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Nginx start(Path program, Path folder, int one, int two) throws IOException {
        int port = freePort();
        String recommended = Files.readString(CONFIGURATION)
                .replace("catalog-1:2333", "127.0.0.1:" + one)
                .replace("catalog-2:2333", "127.0.0.1:" + two)
                .replace("listen 80;", "listen 127.0.0.1:" + port + ";");
        Path file = folder.resolve("nginx.conf");
        Files.writeString(file, """
                daemon off;
                master_process off;
                pid %1$s/pid;
                error_log %1$s/error.log;
                events { worker_connections 64; }
                http {
                    log_format served '$upstream_addr';
                    access_log %1$s/served served;
                    client_body_temp_path %1$s/body;
                    proxy_temp_path %1$s/proxy;
                    fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi;
                    scgi_temp_path %1$s/scgi;
                    %2$s
                }
                """.formatted(folder, recommended));
        Process process = new ProcessBuilder(program.toString(), "-p", folder.toString(), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        Nginx nginx = new Nginx(process, folder, port);
        nginx.awaitPort();
        return nginx;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitPort() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new IOException("nginx did not start: " + Files.readString(folder.resolve("output")), e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    /** The servers that requests went to, in their order; several in one line where the first did not answer. */
    List<String> served() throws IOException {
        return Files.readAllLines(folder.resolve("served"));
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
