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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the server and a part that it asks, counts the questions, lets something happen at one of them, and may keep some from
 * being asked or answered.
 */
public final class CountingProxy implements AutoCloseable {
    private static final List<String> OWN = List.of("host", "connection", "content-length", "transfer-encoding");

    private final URI target;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<String> paths = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Hook> hook = new AtomicReference<>();

    /** What is done to requests whose body holds all of some texts. */
    private record Hook(List<String> texts, @Nullable Runnable before) {
        boolean takes(String body) {
            return texts.stream().allMatch(body::contains);
        }
    }

    private volatile Function<String, Fate> meddling = path -> Fate.PASS;

    /** What becomes of a question. */
    public enum Fate {
        PASS,
        /** It is answered with 503 and never asked. */
        REFUSE,
        /** It is asked, and the answer is lost. */
        LOSE
    }

    /** Whether a path is that of a change of the permission engine's facts. */
    public static boolean isWrite(String path) {
        return path.endsWith("/write");
    }

    /** @param fate is told the path of each question before it is asked */
    public void meddle(Function<String, Fate> fate) {
        meddling = fate;
    }

    /** Lets everything pass again. */
    public void heal() {
        meddling = path -> Fate.PASS;
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

    /** Does something before the first request goes on whose body holds all of the texts. */
    public void onceBefore(Runnable step, String... texts) {
        hook.set(new Hook(List.of(texts), step));
    }

    /** Answers requests whose body holds all of the texts with a failure, until {@link #forwardAll}. */
    public void refuse(String... texts) {
        hook.set(new Hook(List.of(texts), null));
    }

    public void forwardAll() {
        hook.set(null);
    }

    /** @return whether the request goes on */
    private boolean passes(String body) {
        Hook known = hook.get();
        if (known == null || !known.takes(body)) {
            return true;
        }
        Runnable step = known.before();
        if (step != null && hook.compareAndSet(known, null)) {
            step.run();
        }
        return step != null;
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            paths.add(path);
            Fate fate = meddling.apply(path);
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (fate == Fate.REFUSE || !passes(new String(body, StandardCharsets.UTF_8))) {
                exchange.sendResponseHeaders(fate == Fate.REFUSE ? 503 : 500, -1);
                return;
            }
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            target.resolve(exchange.getRequestURI().toString()))
                    .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!OWN.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (fate == Fate.LOSE) {
                return;
            }
            answer.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
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
