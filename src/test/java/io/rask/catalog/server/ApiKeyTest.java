package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Keys that callers make for themselves, and keys of the configuration. */
@ExtendWith(AskingCatalog.Provider.class)
class ApiKeyTest {
    private final AskingCatalog catalog;
    private final RunningServer server;

    ApiKeyTest(AskingCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    private RunningServer with(String key) {
        return server.asking("x-api-key", key);
    }

    private JsonNode made(String owner) {
        return catalog.as(owner)
                .post("/v1/api-keys", "{\"name\":\"notebook\"}")
                .ok()
                .json();
    }

    private static List<String> ids(RunningServer.Answer list) {
        return list.ok()
                .json()
                .path("api_keys")
                .valueStream()
                .map(key -> key.path("id").asString())
                .toList();
    }

    private List<Path> records() throws IOException {
        Path folder = catalog.folder().resolve("control/_api_keys");
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void aKeyActsAsItsOwner() {
        JsonNode key = made("ann");
        JsonNode me = with(key.path("key").asString()).get("/v1/me").ok().json();
        assertThat(me.path("subject").asString()).isEqualTo("ann");
        assertThat(me.path("identified_by").asString()).isEqualTo("api_key");
        assertThat(me.path("teams")).isEmpty();
        assertThat(key.path("subject").asString()).isEqualTo("ann");
    }

    @Test
    void aKeyIsToldOnceAndKeptAsASaltedHashOnly() throws IOException {
        RunningServer bea = catalog.as("bea");
        RunningServer.Answer answer = bea.post("/v1/api-keys", "{\"name\":\"notebook\",\"expires_in_seconds\":3600}");
        String text = answer.ok().json().path("key").asString();
        String secret = text.substring(text.lastIndexOf('_', text.length() - 44) + 1);
        assertThat(secret).hasSize(43);
        assertThat(answer.header("cache-control")).contains("no-store");
        RunningServer.Answer list = bea.get("/v1/api-keys");
        assertThat(ids(list)).containsExactly(answer.json().path("id").asString());
        assertThat(list.text()).doesNotContain(secret).doesNotContain("hash").doesNotContain("salt");
        for (Path record : records()) {
            assertThat(Files.readString(record)).doesNotContain(secret);
        }
        Instant expires = Instant.parse(answer.json().path("expires_at").asString());
        assertThat(expires)
                .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3600));
        assertThat(made("bea").path("key").asString()).isNotEqualTo(text);
    }

    @Test
    void aRevokedKeyWorksNoMoreHereAtOnceAndElsewhereWithinTheBound() {
        JsonNode key = made("cid");
        String text = key.path("key").asString();
        try (RunningServer other = catalog.another()) {
            RunningServer there = other.asking("x-api-key", text);
            assertThat(there.get("/v1/me").status()).isEqualTo(200);
            with(text).get("/v1/me").ok();
            catalog.as("cid")
                    .delete("/v1/api-keys/" + key.path("id").asString())
                    .ok();
            refused(with(text).get("/v1/me"), 401, 16);
            await().atMost(Duration.ofSeconds(3))
                    .until(() -> there.get("/v1/me").status() == 401);
            assertThat(ids(other.asking(
                                    "Authorization",
                                    "Bearer " + catalog.tokens().token("cid"))
                            .get("/v1/api-keys")))
                    .isEmpty();
        }
        refused(catalog.as("cid").delete("/v1/api-keys/" + key.path("id").asString()), 404, 4);
    }

    @Test
    void aKeyEndsByItself() {
        String text = catalog.as("dan")
                .post("/v1/api-keys", "{\"name\":\"short\",\"expires_in_seconds\":1}")
                .ok()
                .json()
                .path("key")
                .asString();
        await().atMost(Duration.ofSeconds(5))
                .until(() -> with(text).get("/v1/me").status() == 401);
        JsonNode next = made("dan");
        assertThat(ids(catalog.as("dan").get("/v1/api-keys")))
                .containsExactly(next.path("id").asString());
    }

    @Test
    void nobodySeesOrEndsTheKeysOfOthers() {
        JsonNode key = made("eva");
        RunningServer other = catalog.as("mallory");
        assertThat(ids(other.get("/v1/api-keys"))).isEmpty();
        RunningServer.Answer theirs =
                other.delete("/v1/api-keys/" + key.path("id").asString());
        RunningServer.Answer nobodys = other.delete("/v1/api-keys/" + "0".repeat(28));
        refused(theirs, 404, 4);
        refused(nobodys, 404, 4);
        with(key.path("key").asString()).get("/v1/me").ok();
    }

    @Test
    void aKeyMakesNoFurtherKeysButMayEndItself() {
        JsonNode key = made("fay");
        RunningServer by = with(key.path("key").asString());
        refused(by.post("/v1/api-keys", "{\"name\":\"next\"}"), 403, 15);
        by.delete("/v1/api-keys/" + key.path("id").asString()).ok();
        refused(by.get("/v1/me"), 401, 16);
    }

    @Test
    void aKeyOfTheConfigurationStandsForItsSubjectAndMakesKeys() {
        RunningServer robot = with(AskingCatalog.CONFIGURED_KEY);
        JsonNode me = robot.get("/v1/me").ok().json();
        assertThat(me.path("subject").asString()).isEqualTo("robot");
        assertThat(me.path("identified_by").asString()).isEqualTo("configured_key");
        String made = robot.post("/v1/api-keys", "{\"name\":\"own\"}")
                .ok()
                .json()
                .path("key")
                .asString();
        assertThat(with(made).get("/v1/me").ok().json().path("subject").asString())
                .isEqualTo("robot");
    }

    @Test
    void aWrongSecretIsRefusedAsAnUnknownKeyIs() {
        String text = made("gus").path("key").asString();
        char last = text.charAt(text.length() - 1);
        String wrong = text.substring(0, text.length() - 1) + (last == 'A' ? 'B' : 'A');
        String unknown = text.replaceFirst("_[0-9a-f]{28}_", "_" + "0".repeat(28) + "_");
        RunningServer.Answer one = with(wrong).get("/v1/me");
        RunningServer.Answer two = with(unknown).get("/v1/me");
        refused(one, 401, 16);
        refused(two, 401, 16);
        assertThat(one.json().path("detail")).isEqualTo(two.json().path("detail"));
        assertThat(one.header("www-authenticate")).isEqualTo("ApiKey realm=\"catalog\", header=\"x-api-key\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "rask_",
                "rask_../../_projects/acme_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "configured-for-tests-0123456789abcde",
                "configured-for-tests-0123456789abcdef0",
                "CONFIGURED-FOR-TESTS-0123456789ABCDEF"
            })
    void whatIsNoKeyIsRefused(String text) {
        refused(with(text).get("/v1/me"), 401, 16);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"name\":\"\"}",
                "{\"name\":\" \"}",
                "{\"name\":\"a\\nb\"}",
                "{\"name\":\"a\",\"expires_in_seconds\":0}",
                "{\"name\":\"a\",\"expires_in_seconds\":-1}",
                "{\"name\":\"a\",\"expires_in_seconds\":7776001}",
                "{\"name\":\"a\",\"expires_in_seconds\":9223372036854775807}"
            })
    void aBodyThatMakesNoKeyIsRefused(String body) {
        refused(catalog.as("hal").post("/v1/api-keys", body), 400, 13);
        assertThat(ids(catalog.as("hal").get("/v1/api-keys"))).isEmpty();
    }

    @Test
    void anIdThatCannotBeOneIsAbsent() {
        for (String id : List.of("x", "..", "%2e%2e", "a%2Fb", "A".repeat(28), "0".repeat(500))) {
            RunningServer.Answer answer = catalog.as("ivy").delete("/v1/api-keys/" + id);
            refused(answer, 404, 4);
        }
    }

    @Test
    void keysAreListedInPages() {
        List<String> made = Stream.generate(() -> made("joe").path("id").asString())
                .limit(3)
                .sorted()
                .toList();
        RunningServer.Answer first = catalog.as("joe").get("/v1/api-keys?limit=2");
        assertThat(ids(first)).isEqualTo(made.subList(0, 2));
        RunningServer.Answer rest = catalog.as("joe")
                .get("/v1/api-keys?limit=2&page_token="
                        + first.json().path("page_token").asString());
        assertThat(ids(rest)).isEqualTo(made.subList(2, 3));
        assertThat(rest.json().has("page_token")).isFalse();
    }

    @Test
    void anOwnerHasAHundredKeysAtTheMost() {
        RunningServer kim = catalog.as("kim");
        for (int i = 0; i < 100; i++) {
            kim.post("/v1/api-keys", "{\"name\":\"n\"}").ok();
        }
        refused(kim.post("/v1/api-keys", "{\"name\":\"n\"}"), 429, 21);
        kim.delete("/v1/api-keys/" + ids(kim.get("/v1/api-keys")).getFirst()).ok();
        kim.post("/v1/api-keys", "{\"name\":\"n\"}").ok();
    }

    @Test
    void oneCorruptRecordHidesNoOtherKeyAndIsNeitherTakenNorRefusedForItsCaller() throws IOException {
        JsonNode kept = made("eve");
        List<Path> before = records();
        JsonNode corrupt = made("eve");
        Path record = records().stream()
                .filter(file -> !before.contains(file))
                .findFirst()
                .orElseThrow();
        try (Tampered ignored = Tampered.corrupt(record)) {
            assertThat(ids(catalog.as("eve").get("/v1/api-keys")))
                    .containsExactly(kept.path("id").asString());
            refused(with(corrupt.path("key").asString()).get("/v1/me"), 503, 17);
            refused(
                    catalog.as("eve")
                            .delete("/v1/api-keys/" + corrupt.path("id").asString()),
                    503,
                    17);
        }
        with(corrupt.path("key").asString()).get("/v1/me").ok();
    }
}
