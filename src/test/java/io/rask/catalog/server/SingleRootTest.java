package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A server without warehouses: one root, and anyone makes top-level namespaces in it. */
class SingleRootTest {
    @TempDir
    static Path folder;

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.on(
                folder, Map.of("lance.warehouses-enabled", "false", "lance.unsupported-status", "406"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aTopLevelNamespaceIsMadeByTheNamespaceRoute() {
        server.post("/v1/namespace/made/create", "{\"properties\":{\"owner\":\"ann\"}}")
                .ok();
        refused(server.post("/v1/namespace/made/create", "{}"), 409, 2);
        server.post("/v1/namespace/made/create", "{\"mode\":\"exist_ok\"}").ok();
        assertThat(server.post("/v1/namespace/made/describe")
                        .ok()
                        .json()
                        .at("/properties/owner")
                        .asString())
                .isEqualTo("ann");
        assertThat(server.get("/v1/namespace/$/list").ok().text()).contains("\"made\"");
        server.post("/v1/namespace/made/drop").ok();
        refused(server.post("/v1/namespace/made/exists"), 404, 1);
        assertThat(server.get("/v1/namespace/$/list").ok().text()).doesNotContain("\"made\"");
    }

    @Test
    void whatHappensIsToldAsWhereThereAreWarehouses() {
        server.post("/v1/namespace/told/create", "{}").ok();
        String cursor = "";
        JsonNode page;
        List<String> told = new ArrayList<>();
        do {
            page = server.get("/v1/events?since=" + cursor).ok().json();
            page.path("events").forEach(event -> told.add(event.path("subject").asString()));
            cursor = page.path("cursor").asString();
        } while (!page.path("events").isEmpty());
        assertThat(told).contains("namespace/told");
        assertThat(server.get("/v1/events/dead-letters").ok().json().path("dead_letters"))
                .isEmpty();
    }

    @Test
    void tablesLiveTheirWholeLives() {
        server.post("/v1/namespace/sales/create", "{}").ok();
        String table = "/v1/table/" + id("sales", "t");
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", Rows.THREE).ok();
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("6");
        assertThat(server.post(table + "/describe").ok().json().path("location").asString())
                .startsWith("file://" + folder.resolve("lance"));
        assertThat(server.get("/v1/namespace/sales/table/list").ok().json().path("tables"))
                .hasSize(1);
        refused(server.post("/v1/namespace/sales/drop"), 409, 3);
        server.post(table + "/drop").ok();
        server.post("/v1/namespace/sales/drop").ok();
    }

    @Test
    void aTableStillNeedsANamespace() {
        refused(server.arrow("/v1/table/lonely/create", Rows.THREE), 400, 13);
        refused(server.post("/v1/table/lonely/declare", "{}"), 400, 13);
        refused(server.arrow("/v1/table/" + id("absent", "t") + "/create", Rows.THREE), 404, 1);
        assertThat(server.get("/v1/namespace/$/table/list").ok().json().path("tables"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/v1/projects",
        "POST,/v1/projects",
        "GET,/v1/projects/acme",
        "DELETE,/v1/projects/acme",
        "GET,/v1/warehouses",
        "POST,/v1/warehouses",
        "GET,/v1/warehouses/lake-one",
        "DELETE,/v1/warehouses/lake-one",
        "POST,/v1/warehouses/lake-one/activate",
        "POST,/v1/warehouses/lake-one/deactivate",
        "GET,/v1/warehouses/-/bindings",
        "GET,/v1/warehouses/lake-one/namespaces",
        "POST,/v1/warehouses/lake-one/namespaces",
        "DELETE,/v1/warehouses/lake-one/namespaces/sales"
    })
    void theRoutesOfProjectsAndWarehousesAreUnsupportedWithTheConfiguredStatus(String method, String path) {
        String body =
                path.endsWith("activate") ? "{}" : "{\"id\":\"lake-one\",\"project\":\"acme\",\"namespace\":\"sales\"}";
        refused(
                switch (method) {
                    case "GET" -> server.get(path);
                    case "DELETE" -> server.delete(path);
                    default -> server.post(path, body);
                },
                406,
                0);
    }

    @Test
    void withADefaultWarehouseThatDoesNotExistYetTopLevelNamespacesWaitForIt() throws Exception {
        try (RunningServer waiting =
                RunningServer.on(folder.resolve("default"), Map.of("lance.default-warehouse", "lake-main"))) {
            String create = "/v1/namespace/team/create";
            assertThat(reason(refused(waiting.post(create, "{}"), 404, 4))).contains("lake-main");
            assertThat(waiting.get("/v1/namespace/$/list").ok().json().path("namespaces"))
                    .isEmpty();
            waiting.post("/v1/projects", "{\"id\":\"acme\"}").ok();
            waiting.post("/v1/warehouses", "{\"id\":\"lake-main\",\"project\":\"acme\"}")
                    .ok();
            waiting.post(create, "{\"properties\":{\"owner\":\"ann\"}}").ok();
            refused(waiting.post(create, "{}"), 409, 2);
            assertThat(waiting.post(create, "{\"mode\":\"ExistOk\"}")
                            .ok()
                            .json()
                            .at("/properties/owner")
                            .asString())
                    .isEqualTo("ann");
            waiting.post(create, "{\"mode\":\"Overwrite\",\"properties\":{\"owner\":\"bob\"}}")
                    .ok();
            assertThat(waiting.post("/v1/namespace/team/describe")
                            .ok()
                            .json()
                            .at("/properties/owner")
                            .asString())
                    .isEqualTo("bob");
            waiting.post("/v1/namespace/" + id("team/search") + "/create", "{\"mode\":\"Create\"}")
                    .ok();
            waiting.post("/v1/namespace/" + id("team/search") + "/describe", "{}")
                    .ok();
            assertThat(waiting.get("/v1/warehouses/lake-main/namespaces").ok().text())
                    .contains("\"team\"", "\"team/search\"");
            waiting.post("/v1/namespace/team/drop", "{\"mode\":\"Fail\",\"behavior\":\"Restrict\"}")
                    .ok();
            refused(waiting.post("/v1/namespace/team/describe"), 404, 1);
            ofEightCreatorsOneMakesIt(waiting);
            existingElsewhere(waiting);
        }
    }

    private static void ofEightCreatorsOneMakesIt(RunningServer waiting) throws Exception {
        try (Race race = new Race(8)) {
            for (int round = 0; round < 20; round++) {
                String create = "/v1/namespace/raced-" + round + "/create";
                List<Answer> answers = race.run(runner -> waiting.post(create, "{}"));
                assertThat(answers.stream().filter(answer -> answer.status() == 200))
                        .hasSize(1);
                answers.stream().filter(answer -> answer.status() != 200).forEach(answer -> refused(answer, 409, 2));
            }
        }
    }

    private static void existingElsewhere(RunningServer waiting) {
        waiting.makeNamespace("acme", "lake-other", "elsewhere");
        refused(waiting.post("/v1/namespace/elsewhere/create", "{}"), 409, 2);
        waiting.post("/v1/namespace/elsewhere/create", "{\"mode\":\"ExistOk\"}").ok();
        waiting.post("/v1/namespace/elsewhere/create", "{\"mode\":\"Overwrite\"}")
                .ok();
        assertThat(waiting.get("/v1/warehouses/lake-other/namespaces").ok().text())
                .contains("\"elsewhere\"");
        waiting.post("/v1/warehouses/lake-other/deactivate").ok();
        refused(waiting.post("/v1/namespace/elsewhere/create", "{\"mode\":\"ExistOk\"}"), 403, 15);
        waiting.post("/v1/warehouses/lake-main/deactivate").ok();
        refused(waiting.post("/v1/namespace/late/create", "{}"), 403, 15);
    }
}
