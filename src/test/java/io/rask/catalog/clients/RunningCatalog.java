package io.rask.catalog.clients;

import io.rask.catalog.CatalogApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** A catalog that answers over HTTP: the one {@code CATALOG_URL} names, otherwise one of our own on a free port. */
final class RunningCatalog implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI url;
    private final @Nullable ConfigurableApplicationContext own;

    private RunningCatalog(URI url, @Nullable ConfigurableApplicationContext own) {
        this.url = url;
        this.own = own;
    }

    /** @param folder where a catalog of our own keeps its data */
    static RunningCatalog find(Path folder) {
        String given = System.getenv("CATALOG_URL");
        if (given != null) {
            return new RunningCatalog(URI.create(given), null);
        }
        ConfigurableApplicationContext own = new SpringApplicationBuilder(CatalogApplication.class)
                .run(
                        "--server.port=0",
                        "--lance.rest.root=" + folder.resolve("lance"),
                        "--lance.storage.allowed-roots=" + folder);
        String port = own.getEnvironment().getRequiredProperty("local.server.port");
        return new RunningCatalog(URI.create("http://127.0.0.1:" + port), own);
    }

    URI url() {
        return url;
    }

    /** Sends a JSON body to a route below {@code /v1} that no generated client knows, and expects success. */
    void post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/v1/" + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " answered " + response.statusCode() + ": " + response.body());
        }
    }

    @Override
    public void close() {
        http.close();
        if (own != null) {
            own.close();
        }
    }
}
