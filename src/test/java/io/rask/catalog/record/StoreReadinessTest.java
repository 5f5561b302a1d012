package io.rask.catalog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.testing.S3Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Readiness as an orchestrator sees it: over HTTP, from a server with nothing but the records in it. */
class StoreReadinessTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    @EnableAutoConfiguration
    @EnableConfigurationProperties(CatalogProperties.class)
    static class RecordsOnly {}

    private static ConfigurableApplicationContext start(S3Server store) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--lance.control.root=s3://records/control",
                // There is nothing else here that could be ready or not.
                "--management.endpoint.health.group.readiness.include=readinessState,recordStore"));
        store.settings().forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return new SpringApplicationBuilder(RecordsOnly.class, RecordConfiguration.class)
                .run(arguments.toArray(String[]::new));
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext server, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.getEnvironment().getProperty("local.server.port") + path);
        return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static void awaitReadiness(ConfigurableApplicationContext server, int status, String text) {
        await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
            HttpResponse<String> answer = get(server, "/readyz");
            assertThat(answer.body()).contains(text);
            assertThat(answer.statusCode()).isEqualTo(status);
        });
    }

    @Test
    void aServerIsReadyOnlyWhileItsStoreIsProvenAndAnswers() throws Exception {
        try (S3Server store = S3Server.inMemory().withBucket("records")) {
            store.stop();
            try (ConfigurableApplicationContext server = start(store)) {
                awaitReadiness(server, 503, "cannot be used right now");
                assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
                store.start();
                awaitReadiness(server, 200, "UP");
                store.stop();
                awaitReadiness(server, 503, "cannot be used right now");
                assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
                store.start();
                awaitReadiness(server, 200, "UP");
            }
        }
    }

    @Test
    void aServerOnAStoreThatLosesRecordsSaysSoAndIsNeverReady() {
        try (S3Server store = S3Server.notAtomic(folder).withBucket("records");
                ConfigurableApplicationContext server = start(store)) {
            awaitReadiness(server, 503, "If-Match is not safe on this store: ");
        }
    }

    @Test
    void aMissingBucketIsNotReadyUntilItIsMade() {
        try (S3Server store = S3Server.inMemory();
                ConfigurableApplicationContext server = start(store)) {
            awaitReadiness(server, 503, "cannot be used right now");
            store.withBucket("records");
            awaitReadiness(server, 200, "UP");
        }
    }
}
