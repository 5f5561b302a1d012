package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import tools.jackson.databind.JsonNode;

/** A rename moves the name and nothing else. */
@ExtendWith(SharedCatalog.Provider.class)
class TableRenameTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String table;

    TableRenameTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
    }

    private JsonNode describe(String address) {
        return server.post(address + "/describe", "{\"load_detailed_metadata\":true}")
                .ok()
                .json();
    }

    private void namespace(String name) {
        server.post("/v1/namespace/" + id(home.namespace(), name) + "/create", "{}")
                .ok();
    }

    @Test
    void dataVersionsTagsAndPropertiesAreKeptAndTheOldNameIsFree() {
        server.arrow(table + "/create?properties=" + id("{\"a\":\"1\"}"), Rows.THREE)
                .ok();
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        JsonNode before = describe(table);
        try (Dataset dataset =
                Dataset.open(Clones.folder(before.path("location").asString()).toString())) {
            dataset.tags().create("gold", Ref.ofMain(1));
        }
        assertThat(server.post(table + "/rename", "{\"new_table_name\":\"other\"}")
                        .ok()
                        .text())
                .isEqualTo("{}");
        String other = home.table("other");
        JsonNode after = describe(other);
        assertThat(after.path("location")).isEqualTo(before.path("location"));
        assertThat(after.path("version")).isEqualTo(before.path("version"));
        assertThat(after.path("properties").path("a").asString()).isEqualTo("1");
        assertThat(server.post(other + "/count_rows").ok().text()).isEqualTo("4");
        assertThat(server.post(other + "/count_rows", "{\"version\":1}").ok().text())
                .isEqualTo("3");
        assertThat(server.post(other + "/describe", "{\"tag\":\"gold\"}")
                        .ok()
                        .json()
                        .path("version")
                        .longValue())
                .isEqualTo(1);
        refused(server.post(table + "/describe"), 404, 4);
        server.arrow(table + "/create", Rows.THREE).ok();
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
        server.post(table + "/drop").ok();
        assertThat(server.post(other + "/count_rows").ok().text()).isEqualTo("4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"new_namespace_id", "new_namespace"})
    void aTableMovesToAnotherNamespaceUnderBothSpellings(String field) {
        namespace("inner");
        server.arrow(table + "/create", Rows.THREE).ok();
        String body = "{\"new_table_name\":\"u\",\"" + field + "\":[\"" + home.namespace() + "\",\"inner\"]}";
        server.post(table + "/rename/", body).ok();
        String moved = "/v1/table/" + id(home.namespace(), "inner", "u");
        assertThat(server.post(moved + "/count_rows").ok().text()).isEqualTo("3");
        refused(server.post(table + "/exists"), 404, 4);
        server.post(moved + "/rename", "{\"new_table_name\":\"t\",\"new_namespace_id\":[\"" + home.namespace() + "\"]}")
                .ok();
        server.post(table + "/exists").ok();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"new_table_name\":\"u\"}",
                "{\"new_table_name\":\"u\",\"new_namespace_id\":[]}",
                "{\"new_table_name\":\"u\",\"new_namespace_id\":null,\"new_namespace\":[]}"
            })
    void withoutANamespaceATableStaysWhereItIs(String body) {
        server.post(table + "/declare").ok();
        server.post(table + "/rename", body).ok();
        server.post(home.table("u") + "/exists").ok();
    }

    @Test
    void aRenameToTheSameNameChangesNothing() {
        server.arrow(table + "/create", Rows.THREE).ok();
        JsonNode before = describe(table);
        server.post(table + "/rename", "{\"new_table_name\":\"t\"}").ok();
        assertThat(describe(table)).isEqualTo(before);
        refused(server.post(home.table("absent") + "/rename", "{\"new_table_name\":\"absent\"}"), 404, 4);
    }

    @Test
    void aTakenNameIsRefusedAndBothTablesStay() {
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(home.table("u") + "/create", ArrowStreams.longs("id", 1)).ok();
        namespace("space");
        assertThat(reason(refused(server.post(table + "/rename", "{\"new_table_name\":\"u\"}"), 409, 5)))
                .contains("already exists");
        refused(server.post(table + "/rename", "{\"new_table_name\":\"space\"}"), 409, 5);
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
        assertThat(server.post(home.table("u") + "/count_rows").ok().text()).isEqualTo("1");
    }

    @Test
    void theNewNamespaceMustBeThere() {
        server.post(table + "/declare").ok();
        for (List<String> absent : List.of(
                List.of(home.namespace(), "absent"),
                List.of(catalog.freshName("space")),
                List.of(home.namespace(), "t"))) {
            String names = "[\"" + String.join("\",\"", absent) + "\"]";
            refused(
                    server.post(table + "/rename", "{\"new_table_name\":\"u\",\"new_namespace_id\":" + names + "}"),
                    404,
                    1);
        }
        server.post(table + "/exists").ok();
    }

    @Test
    void anotherWarehouseIsRefusedAndTheReasonTold() {
        SharedCatalog.Home elsewhere = catalog.freshNamespace();
        server.post(table + "/declare").ok();
        String body = "{\"new_table_name\":\"u\",\"new_namespace_id\":[\"" + elsewhere.namespace() + "\"]}";
        assertThat(reason(refused(server.post(table + "/rename", body), 400, 13)))
                .contains("another warehouse");
        server.post(table + "/exists").ok();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"new_table_name\":null}",
                "{\"new_table_name\":\"\"}",
                "{\"new_table_name\":\"..\"}",
                "{\"new_table_name\":\"a$b\"}",
                "{\"new_table_name\":\"a*\"}",
                "{\"new_table_name\":\" a\"}",
                "{\"new_table_name\":7}",
                "{\"new_table_name\":\"u\",\"new_namespace_id\":[null]}",
                "{\"new_table_name\":\"u\",\"new_namespace_id\":\"x\"}",
                "{\"new_table_name\":\"u\",\"new_namespace_id\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\"]}"
            })
    void aNewNameThatCannotBeOneIsRefused(String body) {
        server.post(table + "/declare").ok();
        refused(server.post(table + "/rename", body), 400, 13);
        server.post(table + "/exists").ok();
    }

    @Test
    void aWriteThatMeetsARenameLandsInTheTable() throws Exception {
        server.arrow(table + "/create", ArrowStreams.longs("id")).ok();
        int rows = 0;
        try (Race race = new Race(2)) {
            for (int round = 0; round < 15; round++) {
                String now = round % 2 == 0 ? "t" : "u";
                String next = round % 2 == 0 ? "u" : "t";
                List<Integer> statuses = race.run(runner -> runner == 0
                        ? server.post(home.table(now) + "/rename", "{\"new_table_name\":\"" + next + "\"}")
                                .status()
                        : server.arrow(home.table(now) + "/insert", ArrowStreams.longs("id", 1))
                                .status());
                assertThat(statuses.getFirst()).isEqualTo(200);
                assertThat(statuses.get(1)).isIn(200, 404);
                rows += statuses.get(1) == 200 ? 1 : 0;
                assertThat(server.post(home.table(next) + "/count_rows").ok().text())
                        .isEqualTo(String.valueOf(rows));
            }
        }
    }
}
