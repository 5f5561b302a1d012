package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The transactions that made the versions of tables, and what clients say of them. */
@ExtendWith(SharedCatalog.Provider.class)
class TransactionBehaviourTest {
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String table;

    TransactionBehaviourTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
    }

    @BeforeEach
    void aTableWithHistory() {
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        server.post(table + "/delete", "{\"predicate\":\"id = 1\"}").ok();
    }

    private String address(String name) {
        return "/v1/transaction/" + id(home.namespace(), "t", name);
    }

    private JsonNode described(String name) {
        JsonNode found = server.post(address(name) + "/describe").ok().json();
        assertThat(found.path("status").asString()).isEqualTo("Succeeded");
        return found.path("properties");
    }

    private Answer alter(String name, String... actions) {
        return server.post(address(name) + "/alter", "{\"actions\":[" + String.join(",", actions) + "]}");
    }

    private static String set(String key, String value, String mode) {
        return "{\"setPropertyAction\":{\"key\":\"" + key + "\",\"value\":\"" + value + "\",\"mode\":\"" + mode
                + "\"}}";
    }

    private static String unset(String key, String mode) {
        return "{\"unsetPropertyAction\":{\"key\":\"" + key + "\",\"mode\":\"" + mode + "\"}}";
    }

    @Test
    void aTransactionIsFoundByItsVersionAndByItsId() {
        for (List<String> made : List.of(List.of("1", "overwrite"), List.of("2", "append"), List.of("3", "delete"))) {
            JsonNode byVersion = described(made.getFirst());
            assertThat(byVersion.path("version").asString()).isEqualTo(made.getFirst());
            assertThat(byVersion.path("operation").asString()).isEqualTo(made.getLast());
            assertThat(byVersion.path("read_version").asString())
                    .isEqualTo(String.valueOf(Long.parseLong(made.getFirst()) - 1));
            String uuid = byVersion.path("uuid").asString();
            assertThat(UUID.fromString(uuid)).isNotNull();
            assertThat(described(uuid)).isEqualTo(byVersion);
        }
    }

    @Test
    void versionsThatABranchAndACloneBeginWithAreToldOfAsWell() {
        server.post(table + "/branches/create", "{\"name\":\"dev\",\"from_version\":2}")
                .ok();
        server.arrow(table + "/insert?branch=dev", ArrowStreams.longs("id", 5)).ok();
        assertThat(described("3").path("operation").asString()).isEqualTo("delete");
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev\"}")
                        .ok()
                        .text())
                .isEqualTo("5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4",
                "0",
                "-1",
                "007",
                "99999999999999999999",
                "00000000-0000-0000-0000-000000000000",
                "x",
                "1.0",
                "%2e%2e%2fx"
            })
    void aTransactionThatIsNotThereHasACodeOfItsOwn(String name) {
        String address = "/v1/transaction/" + home.namespace() + "$t$" + name;
        refused(server.post(address + "/describe"), 404, 10);
        refused(
                server.post(address + "/alter", "{\"actions\":[{\"setStatusAction\":{\"status\":\"Failed\"}}]}"),
                404,
                10);
    }

    @Test
    void neitherIsOneOfATableThatIsNotThereNorOneOfTheCatalog() {
        for (String absent : List.of(
                id(home.namespace(), "none", "1"),
                id("none", "none", "1"),
                id(home.namespace(), "1"),
                "none",
                "00000000-0000-0000-0000-000000000000")) {
            refused(server.post("/v1/transaction/" + absent + "/describe"), 404, 10);
        }
    }

    @Test
    void aDeletedVersionHasNoTransaction() {
        String uuid = described("1").path("uuid").asString();
        server.post(table + "/version/delete", "{\"ranges\":[{\"start_version\":1,\"end_version\":2}]}")
                .ok();
        refused(server.post(address("1") + "/describe"), 404, 10);
        refused(server.post(address(uuid) + "/describe"), 404, 10);
    }

    @Test
    void whatHasHappenedKeepsItsStatus() {
        for (String status : List.of("Queued", "running", "FAILED", "canceled")) {
            refused(alter("2", "{\"setStatusAction\":{\"status\":\"" + status + "\"}}"), 409, 14);
        }
        assertThat(alter("2", "{\"setStatusAction\":{\"status\":\"succeeded\"}}")
                        .ok()
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("Succeeded");
    }

    @Test
    void propertiesAreSetAndUnsetAsTheirModesSay() {
        alter("2", set("a", "1", "fail"), set("b", "1", "Skip")).ok();
        refused(alter("2", set("a", "2", "Fail")), 409, 14);
        alter("2", set("a", "2", "skip"), set("b", "2", "overwrite")).ok();
        assertThat(described("2").path("a").asString()).isEqualTo("1");
        assertThat(described("2").path("b").asString()).isEqualTo("2");
        alter("2", "{\"setPropertyAction\":{\"key\":\"a\",\"value\":\"3\"}}").ok();
        assertThat(described("2").path("a").asString()).isEqualTo("3");
        alter("2", unset("a", "Fail"), unset("a", "Skip")).ok();
        refused(alter("2", unset("a", "fail")), 409, 14);
        assertThat(described("2").has("a")).isFalse();
        alter("2", "{\"unsetPropertyAction\":{\"key\":\"a\"}}").ok();
        // The same transaction under its other name; another is untouched.
        assertThat(described(described("2").path("uuid").asString()).path("b").asString())
                .isEqualTo("2");
        assertThat(described("3").has("b")).isFalse();
    }

    @Test
    void oneActionThatCannotBeLeavesAllUndone() {
        refused(alter("2", set("c", "1", "overwrite"), unset("none", "fail")), 409, 14);
        refused(alter("2", set("c", "1", "overwrite"), "{\"setStatusAction\":{\"status\":\"Failed\"}}"), 409, 14);
        assertThat(described("2").has("c")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "7",
                "{\"setStatusAction\":{}}",
                "{\"setStatusAction\":{\"status\":\"bogus\"}}",
                "{\"setPropertyAction\":{\"key\":\"a\"}}",
                "{\"setPropertyAction\":{\"key\":\"\",\"value\":\"x\"}}",
                "{\"setPropertyAction\":{\"key\":\"uuid\",\"value\":\"x\"}}",
                "{\"unsetPropertyAction\":{\"key\":\"version\"}}",
                "{\"unsetPropertyAction\":{\"key\":\"a\",\"mode\":\"bogus\"}}",
                "{\"setPropertyAction\":{\"key\":\"a\",\"value\":\"x\",\"mode\":\"bogus\"}}",
                "{\"setPropertyAction\":{\"key\":\"a\",\"value\":\"x\"},\"unsetPropertyAction\":{\"key\":\"a\"}}"
            })
    void anActionThatMakesNoSenseIsRefused(String action) {
        refused(alter("2", action), 400, 13);
    }

    @Test
    void ofManyWhoSetPropertiesAtTheSameTimeNoneIsLost() throws Exception {
        try (Race race = new Race(5)) {
            List<Answer> answers = race.run(runner -> alter("2", set("key-" + runner, "x", "fail")));
            for (int runner = 0; runner < answers.size(); runner++) {
                boolean done = answers.get(runner).status() == 200;
                assertThat(answers.get(runner).code()).isIn(-1, 14);
                assertThat(described("2").has("key-" + runner)).isEqualTo(done);
            }
        }
    }
}
