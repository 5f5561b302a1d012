package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Names and places without warehouses, where the records may lie in the one root. */
class SingleRootPlacementTest {
    @TempDir
    static Path folder;

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.on(
                folder,
                Map.of(
                        "lance.warehouses-enabled",
                        "false",
                        "lance.control.root",
                        folder.resolve("lance/control").toString()));
        server.post("/v1/namespace/sales/create", "{}").ok();
        server.post("/v1/namespace/books/create", "{}").ok();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void tablesAreListedAndMoveBetweenTopLevelNamespaces() {
        server.arrow("/v1/table/" + id("sales", "t") + "/create", Rows.THREE).ok();
        server.post(
                        "/v1/table/" + id("sales", "t") + "/rename",
                        "{\"new_table_name\":\"u\",\"new_namespace_id\":[\"books\"]}")
                .ok();
        assertThat(server.get("/v1/table/")
                        .ok()
                        .json()
                        .path("tables")
                        .valueStream()
                        .map(JsonNode::asString))
                .containsExactly("books$u");
        server.post("/v1/table/" + id("books", "u") + "/drop").ok();
        assertThat(server.get("/v1/table").ok().json().path("tables")).isEmpty();
    }

    @Test
    void theCatalogsOwnRecordsAreNoPlaceOfATable() {
        Path source = Clones.folder(server.arrow("/v1/table/" + id("sales", "source") + "/create", Rows.THREE)
                .ok()
                .json()
                .path("location")
                .asString());
        Clones.make(source, folder.resolve("lance/control/stray"));
        for (String place : new String[] {"control", "control/stray", "control/stray/data"}) {
            refused(
                    server.post("/v1/table/" + id("sales", "stray") + "/register", "{\"location\":\"" + place + "\"}"),
                    400,
                    13);
        }
        refused(server.post("/v1/table/" + id("sales", "stray") + "/exists"), 404, 4);
    }
}
