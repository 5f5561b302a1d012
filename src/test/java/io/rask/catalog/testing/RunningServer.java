package io.rask.catalog.testing;

import io.rask.catalog.CatalogApplication;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole application on a free port. Two over one folder are two replicas: they share nothing but the storage. */
public final class RunningServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ARROW = "application/vnd.apache.arrow.stream";

    private final HttpClient http;
    private final ConfigurableApplicationContext application;
    private final int port;
    private final Map<String, String> headers;

    private RunningServer(ConfigurableApplicationContext application, HttpClient http, Map<String, String> headers) {
        this.application = application;
        this.http = http;
        this.headers = headers;
        this.port = Integer.parseInt(application.getEnvironment().getRequiredProperty("local.server.port"));
    }

    /** A server over a folder, with settings beside it. */
    public static RunningServer on(Path folder, Map<String, String> settings, Class<?>... more) {
        Map<String, String> all = new HashMap<>();
        all.put("lance.rest.root", folder.resolve("lance").toString());
        all.put("lance.control.root", folder.resolve("control").toString());
        all.put("lance.storage.allowed-roots", folder.toString());
        all.putAll(settings);
        return with(all, more);
    }

    /**
     * A server with exactly these settings.
     *
     * @param more beans beside those of the application
     */
    public static RunningServer with(Map<String, String> settings, Class<?>... more) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.jmx.enabled=false"));
        settings.forEach((key, value) -> arguments.add("--" + key + "=" + value));
        return new RunningServer(
                new SpringApplicationBuilder(CatalogApplication.class)
                        .sources(more)
                        .run(arguments.toArray(String[]::new)),
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(10))
                        .build(),
                Map.of());
    }

    /** The same server, asked with a header in every request. Closing it closes the server. */
    public RunningServer asking(String header, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(header, value);
        // A client has open files of its own, and some tests ask as many thousand times as somebody else.
        return new RunningServer(application, http, all);
    }

    /** An answer of the server. */
    public record Answer(int status, HttpResponse<byte[]> response) {
        public JsonNode json() {
            return JSON.readTree(response.body());
        }

        public String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        /** The value of a header; empty where the answer has none. */
        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public byte[] bytes() {
            return response.body();
        }

        /** The code of a problem; -1 where there is none. */
        public int code() {
            return status < 400 ? -1 : json().path("code").asInt(-1);
        }

        /** The answer, which must be a success. */
        public Answer ok() {
            if (status != 200) {
                throw new AssertionError(response.uri() + " answered " + status + ": " + text());
            }
            return this;
        }
    }

    public int port() {
        return port;
    }

    public <T> T bean(Class<T> type) {
        return application.getBean(type);
    }

    /** The bean of a name, where there are several of its type. */
    public <T> T bean(String name, Class<T> type) {
        return application.getBean(name, type);
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    /** Posts JSON text. */
    public Answer post(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    /** Puts JSON text. */
    public Answer put(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(json)));
    }

    public Answer post(String path) {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    /** Posts an Arrow stream. */
    public Answer arrow(String path, byte[] body) {
        return send(request(path).header("Content-Type", ARROW).POST(BodyPublishers.ofByteArray(body)));
    }

    /** Posts a body of unknown length. */
    public Answer chunked(String path, Supplier<InputStream> body) {
        return send(request(path).header("Content-Type", ARROW).POST(BodyPublishers.ofInputStream(body)));
    }

    /** Makes project, warehouse and top-level namespace, whatever is there already. */
    public void makeNamespace(String project, String warehouse, String namespace) {
        post("/v1/projects", JSON.writeValueAsString(Map.of("id", project))).ok();
        post("/v1/warehouses", JSON.writeValueAsString(Map.of("id", warehouse, "project", project)))
                .ok();
        post("/v1/warehouses/" + warehouse + "/namespaces", JSON.writeValueAsString(Map.of("namespace", namespace)))
                .ok();
    }

    /** Waits until the server says that it can do its work. */
    public void awaitReady() {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (get("/readyz").status() != 200) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the server does not become ready");
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    /** The path segment of an id. */
    public static String id(String... segments) {
        return URLEncoder.encode(String.join("$", segments), StandardCharsets.UTF_8)
                .replace("+", "%20");
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(2));
        headers.forEach(request::header);
        return request;
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response);
        } catch (IOException e) {
            throw new IllegalStateException("the server did not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.close();
        application.close();
    }
}
