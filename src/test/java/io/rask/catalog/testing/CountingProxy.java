package io.rask.catalog.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands between the server and a part that it asks, counts the questions, and can answer something else than the part does. */
public final class CountingProxy implements AutoCloseable {
    private static final List<String> OWN = List.of("host", "connection", "content-length", "transfer-encoding");

    private final URI target;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<String> paths = new ConcurrentLinkedQueue<>();

    private volatile Change change = (path, question, answer) -> answer;

    /** An answer of the part. */
    public record Reply(int status, byte[] body) {}

    /** What becomes of an answer; it may take its time. */
    @FunctionalInterface
    public interface Change {
        Reply of(String path, byte[] question, Reply answer) throws InterruptedException;
    }

    public CountingProxy(URI target) {
        this.target = target;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::forward);
        server.start();
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Begins to count anew. */
    public void reset() {
        paths.clear();
    }

    /** The paths of the requests since the last reset. */
    public List<String> paths() {
        return List.copyOf(paths);
    }

    /** Gives the answers that are made of the part's own, while something is done. */
    public void answering(Change change, Runnable meanwhile) {
        this.change = change;
        try {
            meanwhile.run();
        } finally {
            this.change = (path, question, answer) -> answer;
        }
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            paths.add(exchange.getRequestURI().getPath());
            byte[] question = exchange.getRequestBody().readAllBytes();
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            target.resolve(exchange.getRequestURI().toString()))
                    .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(question));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!OWN.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            answer.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            Reply reply = change.of(
                    exchange.getRequestURI().getPath(), question, new Reply(answer.statusCode(), answer.body()));
            exchange.sendResponseHeaders(reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
            exchange.getResponseBody().write(reply.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        client.close();
    }
}
