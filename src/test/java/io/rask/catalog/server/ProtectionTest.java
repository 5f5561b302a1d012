package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Protection against deletion: its doors, what it stands against, and what becomes of it. */
@ExtendWith(SharedCatalog.Provider.class)
class ProtectionTest {
    private static final String ON = "{\"protected\":true}";
    private static final String OFF = "{\"protected\":false}";

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String table;
    private final String namespace;

    ProtectionTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
        this.namespace = "/v1/namespace/" + id(home.namespace());
    }

    private void create() {
        server.arrow(table + "/create", Rows.THREE).ok();
    }

    private JsonNode told(String address) {
        return server.get(address + "/protection").ok().json();
    }

    @Test
    void aTableIsProtectedByItsDoorAndTellsWhoDidIt() {
        create();
        assertThat(told(table).path("protected").asBoolean(true)).isFalse();
        assertThat(told(table).has("set_by")).isFalse();
        JsonNode set = server.post(table + "/protection", ON).ok().json();
        assertThat(set.path("id").asString()).isEqualTo(home.namespace() + "$t");
        assertThat(set.path("protected").asBoolean()).isTrue();
        assertThat(set.path("set_by").asString("")).isNotBlank();
        assertThat(told(table)).isEqualTo(set);
        assertThat(server.get("/management" + table + "/protection").ok().json())
                .isEqualTo(set);
        server.post(table + "/protection", OFF).ok();
        assertThat(told(table).path("protected").asBoolean(true)).isFalse();
        server.post(table + "/drop").ok();
    }

    @Test
    void whatDestroysATableOrAPartOfItIsRefusedUntilForced() {
        create();
        server.arrow(table + "/insert", Rows.THREE).ok();
        server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":2}").ok();
        server.post(table + "/branches/create", "{\"name\":\"dev\"}").ok();
        server.arrow(table + "/insert", Rows.THREE).ok();
        server.post(table + "/protection", ON).ok();
        List<String> bodies = List.of(
                "/tags/delete", "{\"tag\":\"gold\"}",
                "/branches/delete", "{\"name\":\"dev\"}",
                "/version/delete", "{\"ranges\":[{\"start_version\":1,\"end_version\":2}]}");
        refused(server.post(table + "/drop"), 409, 19);
        refused(server.post(table + "/deregister"), 409, 19);
        refused(server.arrow(table + "/create?mode=overwrite", Rows.THREE), 409, 19);
        for (int i = 0; i < bodies.size(); i += 2) {
            assertThat(reason(refused(server.post(table + bodies.get(i), bodies.get(i + 1)), 409, 19)))
                    .contains("force=true");
        }
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("9");
        for (int i = 0; i < bodies.size(); i += 2) {
            server.post(table + bodies.get(i) + "?force=true", bodies.get(i + 1))
                    .ok();
        }
        server.arrow(table + "/create?mode=overwrite&force=true", Rows.THREE).ok();
        assertThat(told(table).path("protected").asBoolean()).isTrue();
        server.post(table + "/drop?force=true").ok();
    }

    @Test
    void aProtectionDiesWithItsTableAndFollowsARename() {
        create();
        server.post(table + "/protection", ON).ok();
        server.post(table + "/rename", "{\"new_table_name\":\"u\"}").ok();
        assertThat(told(home.table("u")).path("protected").asBoolean()).isTrue();
        create();
        assertThat(told(table).path("protected").asBoolean(true)).isFalse();
        server.post(home.table("u") + "/drop?force=true").ok();
        server.arrow(home.table("u") + "/create", Rows.THREE).ok();
        assertThat(told(home.table("u")).path("protected").asBoolean(true)).isFalse();
        server.post(home.table("u") + "/drop").ok();
    }

    @Test
    void aProtectedNamespaceIsNotDroppedAndItsTablesAre() {
        create();
        server.post(namespace + "/protection", ON).ok();
        server.post(table + "/drop").ok();
        assertThat(reason(refused(server.post(namespace + "/drop", "{}"), 409, 3)))
                .contains("force=true");
        assertThat(told(namespace).path("protected").asBoolean()).isTrue();
        server.post(namespace + "/drop?force=true", "{}").ok();
    }

    @Test
    void aCascadeNamesTheProtectedTableItWouldReach() {
        create();
        server.post(table + "/protection", ON).ok();
        assertThat(reason(refused(server.post(namespace + "/drop", "{\"behavior\":\"cascade\"}"), 409, 19)))
                .contains(home.namespace() + "$t");
        server.post(table + "/exists").ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"warehouses", "projects"})
    void aWarehouseAndAProjectHaveTheSameDoors(String kind) {
        String project = catalog.freshProject();
        String one = kind.equals("projects") ? project : catalog.freshName("lake");
        String address = "/v1/" + kind + "/" + one;
        if (kind.equals("warehouses")) {
            server.post("/v1/warehouses", "{\"id\":\"" + one + "\",\"project\":\"" + project + "\"}")
                    .ok();
        }
        assertThat(told(address).path("protected").asBoolean(true)).isFalse();
        server.post(address + "/protection", ON).ok();
        assertThat(told(address).path("set_by").asString("")).isNotBlank();
        assertThat(server.get(address).ok().json().path("protected").asBoolean())
                .isTrue();
        refused(server.delete(address), 409, 3);
        assertThat(server.delete(address + "?dry_run=true")
                        .ok()
                        .json()
                        .at("/refusals/0/code")
                        .asInt())
                .isEqualTo(3);
        server.post(address + "/protection", OFF).ok();
        server.delete(address).ok();
        refused(server.get(address + "/protection"), 404, 4);
        refused(server.post(address + "/protection", ON), 404, 4);
    }

    @Test
    void whatIsNotThereHasNoProtectionAndABodyWithoutItIsRefused() {
        refused(server.get(table + "/protection"), 404, 4);
        refused(server.post(table + "/protection", ON), 404, 4);
        refused(server.get("/v1/namespace/" + id(home.namespace(), "none") + "/protection"), 404, 1);
        refused(server.post(namespace + "/protection", "{}"), 400, 13);
        refused(server.post("/v1/namespace/%24/protection", ON), 400, 13);
        assertThat(refused(server.post(table + "/protection", "{}"), 400, 13)
                        .json()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("protected");
    }

    /** Whoever was told that a table is protected finds it there, unless it was dropped by force. */
    @Test
    void aTableIsProtectedOrDroppedAndNeverBoth() throws Exception {
        try (Race race = new Race(2)) {
            for (int round = 0; round < 12; round++) {
                String raced = home.table("raced-" + round);
                server.post(raced + "/declare").ok();
                List<Answer> answers = race.run(runner ->
                        server.post(raced + (runner == 0 ? "/protection" : "/drop"), runner == 0 ? ON : "{}"));
                boolean isProtected = answers.getFirst().status() == 200;
                boolean dropped = answers.getLast().status() == 200;
                assertThat(isProtected ^ dropped)
                        .as(answers.getFirst().text() + answers.getLast().text())
                        .isTrue();
                assertThat(server.post(raced + "/exists").status()).isEqualTo(isProtected ? 200 : 404);
            }
        }
    }

    /** A lock is one thing that stands against a deletion, and what is inside is another: force turns the lock alone. */
    @Test
    void forceDeletesWhatIsProtectedAndEmptyAndNothingThatIsFull() {
        String project = catalog.freshProject();
        String lake = catalog.freshName("lake");
        String space = catalog.freshName("space");
        server.post("/v1/warehouses", "{\"id\":\"" + lake + "\",\"project\":\"" + project + "\"}")
                .ok();
        catalog.bind(lake, space);
        String inner = "/v1/namespace/" + id(space, "inner");
        server.post(inner + "/create", "{}").ok();
        server.post("/v1/table/" + id(space, "inner", "t") + "/declare").ok();
        String outer = "/v1/namespace/" + space;
        List<String> locked = List.of(inner, outer, "/v1/warehouses/" + lake, "/v1/projects/" + project);
        locked.forEach(address -> server.post(address + "/protection", ON).ok());
        for (String full : locked) {
            refused(deleted(full, ""), 409, 3);
            refused(deleted(full, "?force=true"), 409, 3);
            assertThat(told(full).path("protected").asBoolean()).as(full).isTrue();
        }
        server.post("/v1/table/" + id(space, "inner", "t") + "/drop").ok();
        for (String empty : locked) {
            assertThat(reason(refused(deleted(empty, ""), 409, 3))).contains("force=true");
            deleted(empty, "?force=true").ok();
        }
        refused(server.get("/v1/projects/" + project), 404, 4);
    }

    private Answer deleted(String address, String query) {
        return address.startsWith("/v1/namespace/")
                ? server.post(address + "/drop" + query, "{}")
                : server.delete(address + query);
    }
}
