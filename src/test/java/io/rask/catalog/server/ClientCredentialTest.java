package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What clients are handed to reach a table's bytes themselves. */
class ClientCredentialTest {
    private static final String TABLE = "/v1/table/" + id("sales", "t");
    private static final String DECLARED = "/v1/table/" + id("sales", "d");

    @Test
    void clientsAreHandedTheirOwnCredentialAndOnlyWhenTheyWantOne() {
        Map<String, String> client = Map.of(
                "lance.s3.client-access-key-id", "client-key", "lance.s3.client-secret-access-key", "client-secret");
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog");
                RunningServer server = server(store, client)) {
            JsonNode created = server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1))
                    .ok()
                    .json();
            JsonNode declared = server.post(DECLARED + "/declare").ok().json();
            JsonNode described = server.post(TABLE + "/describe").ok().json();
            for (JsonNode told : List.of(created, declared, described)) {
                assertThat(told.at("/storage_options/aws_access_key_id").asString())
                        .isEqualTo("client-key");
                assertThat(told.at("/storage_options/aws_secret_access_key").asString())
                        .isEqualTo("client-secret");
                assertThat(told.at("/storage_options/aws_endpoint").asString())
                        .isEqualTo(store.endpoint().toString());
                assertThat(told.path("location").asString()).startsWith("s3://lake-one/");
                assertSecretFree(store, told.toString());
            }
            String unwanted = "{\"vend_credentials\":false}";
            assertThat(server.post(TABLE + "/describe", unwanted).ok().json().has("storage_options"))
                    .isFalse();
            assertThat(server.post("/v1/table/" + id("sales", "d2") + "/declare", unwanted)
                            .ok()
                            .json()
                            .has("storage_options"))
                    .isFalse();
            assertThat(server.post(TABLE + "/count_rows").ok().text()).isEqualTo("1");
        }
    }

    @Test
    void withoutACredentialForClientsNothingIsHandedOut() {
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog");
                RunningServer server = server(store, Map.of())) {
            List<RunningServer.Answer> answers = List.of(
                    server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1)).ok(),
                    server.post(DECLARED + "/declare").ok(),
                    server.post(TABLE + "/describe", "{\"vend_credentials\":true}")
                            .ok(),
                    server.get("/v1/warehouses/lake-one").ok(),
                    server.post(TABLE + "/describe", "{\"version\":99}"));
            for (RunningServer.Answer answer : answers) {
                assertThat(answer.json().has("storage_options")).isFalse();
                assertSecretFree(store, answer.text());
            }
        }
    }

    @Test
    void whereRightsAreAskedForNobodyIsHandedAKeyAndReadersAndWritersAreToldTheSame() {
        Map<String, String> settings = new HashMap<>(OpenFga.shared().settings());
        settings.put("lance.bootstrap.administrator", "olga");
        settings.put("lance.s3.client-access-key-id", "client-key");
        settings.put("lance.s3.client-secret-access-key", "client-secret");
        try (S3Server store = S3Server.inMemory().withBucket("lance-catalog");
                RunningServer server = governed(store, settings)) {
            RunningServer olga = server.asking(HeaderIdentification.USER, "olga");
            olga.makeNamespace("acme", "lake-one", "sales");
            olga.arrow(TABLE + "/create", ArrowStreams.longs("id", 1)).ok();
            for (String rung : List.of("reader", "writer")) {
                GovernedCatalog.grant(server, rung, rung, GovernedCatalog.table("sales", "t"));
            }
            String wanted = "{\"vend_credentials\":true}";
            List<String> told = Stream.of("olga", "reader", "writer")
                    .map(user -> server.asking(HeaderIdentification.USER, user)
                            .post(TABLE + "/describe", wanted)
                            .ok()
                            .text())
                    .toList();
            assertThat(told).allMatch(told.getFirst()::equals);
            assertThat(told.getFirst())
                    .contains("s3://lake-one/")
                    .doesNotContain("client-key")
                    .doesNotContain("client-secret")
                    .doesNotContain("storage_options");
            assertThat(olga.post(DECLARED + "/declare", wanted).ok().text()).doesNotContain("client-key");
            assertSecretFree(store, told.getFirst());
        }
    }

    private static RunningServer governed(S3Server store, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.putAll(more);
        RunningServer server = RunningServer.with(settings, HeaderIdentification.class);
        server.awaitReady();
        return server;
    }

    private static void assertSecretFree(S3Server store, String text) {
        assertThat(text)
                .doesNotContain(store.settings().get("lance.s3.access-key-id"))
                .doesNotContain(store.settings().get("lance.s3.secret-access-key"));
    }

    private static RunningServer server(S3Server store, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.putAll(more);
        RunningServer server = RunningServer.with(settings);
        server.makeNamespace("acme", "lake-one", "sales");
        return server;
    }
}
