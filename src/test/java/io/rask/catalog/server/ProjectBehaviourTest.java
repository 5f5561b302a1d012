package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the project doors promise. */
@ExtendWith(SharedCatalog.Provider.class)
class ProjectBehaviourTest {
    private static final String LONGEST_ID = "abcdefghijklmnopqrstuvwxyz-0123456789-abcdefghijklmnopqrstuvwxy";

    private final SharedCatalog catalog;
    private final RunningServer server;

    ProjectBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    private Answer create(String id) {
        return server.post("/v1/projects", JsonMapper.shared().writeValueAsString(Map.of("id", id)));
    }

    private List<String> listed() {
        return server.get("/v1/projects")
                .ok()
                .json()
                .path("projects")
                .valueStream()
                .map(project -> project.path("project").asString())
                .toList();
    }

    @Test
    void creatingAProjectAgainSucceedsAndChangesNothing() {
        String id = catalog.freshName("project");
        JsonNode first = create(id).ok().json();
        assertThat(first.path("created_at").asString()).endsWith("Z");
        assertThat(create(id).ok().json()).isEqualTo(first);
        assertThat(server.get("/v1/projects/" + id).ok().json()).isEqualTo(first);
        assertThat(listed()).containsOnlyOnce(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "1-2", "a-b-c-9", LONGEST_ID})
    void aProjectIdOfLettersDigitsAndHyphensIsAccepted(String id) {
        assertThat(create(id).ok().json().path("project").asString()).isEqualTo(id);
        server.delete("/v1/projects/" + id).ok();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ab",
                "Acme",
                "-acme",
                "acme-",
                "acme\n",
                "\nacme",
                "ac_me",
                "ac.me",
                "ac me",
                "ac/me",
                "acmé",
                "a$c",
                "..",
                LONGEST_ID + "z"
            })
    void aProjectIdOfAnotherShapeIsRefused(String id) {
        refused(create(id), 400, 13);
        assertThat(listed()).doesNotContain(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"id\":null}", "null", "", "{\"id\":7}", "{\"id\":[\"acme\"]}", "[]", "{\"id\":"})
    void aProjectWithoutAnIdIsRefused(String body) {
        refused(server.post("/v1/projects", body), 400, 13);
    }

    @Test
    void anAddressWithAnIllegalProjectIdIsRefused() {
        refused(server.get("/v1/projects/Acme"), 400, 13);
        refused(server.delete("/v1/projects/acme%0A"), 400, 13);
    }

    @Test
    void onlyARecordMakesAProjectExist() {
        String id = catalog.freshName("project");
        String warehouse = catalog.freshName("lake");
        refused(server.post("/v1/warehouses", "{\"id\":\"" + warehouse + "\",\"project\":\"" + id + "\"}"), 404, 4);
        refused(server.get("/v1/projects/" + id), 404, 4);
        refused(server.delete("/v1/projects/" + id), 404, 4);
        refused(server.get("/v1/warehouses/" + warehouse), 404, 4);
        assertThat(listed()).doesNotContain(id);
    }

    @Test
    void creatorsRacingForOneProjectAllSeeTheSameRecord() throws Exception {
        String id = catalog.freshName("project");
        try (Race race = new Race(8)) {
            List<JsonNode> seen = race.run(runner -> create(id).ok().json());
            assertThat(seen).containsOnly(seen.getFirst());
        }
    }

    @Test
    void aProjectNamesItsWarehouses() {
        String project = catalog.freshProject();
        for (String warehouse : List.of(project + "-b", project + "-a")) {
            server.post("/v1/warehouses", "{\"id\":\"" + warehouse + "\",\"project\":\"" + project + "\"}")
                    .ok();
        }
        assertThat(server.get("/v1/projects/" + project)
                        .ok()
                        .json()
                        .path("warehouses")
                        .valueStream()
                        .map(JsonNode::asString))
                .containsExactly(project + "-a", project + "-b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?force=true"})
    void aProjectThatHoldsWarehousesIsNotDeletedNotEvenByForce(String query) {
        String project = catalog.freshProject();
        String warehouse = catalog.freshName("lake");
        server.post("/v1/warehouses", "{\"id\":\"" + warehouse + "\",\"project\":\"" + project + "\"}")
                .ok();
        assertThat(reason(refused(server.delete("/v1/projects/" + project + query), 409, 3)))
                .contains(warehouse);
        server.get("/v1/projects/" + project).ok();
        server.delete("/v1/warehouses/" + warehouse).ok();
        assertThat(server.delete("/v1/projects/" + project)
                        .ok()
                        .json()
                        .path("project")
                        .asString())
                .isEqualTo(project);
    }

    @Test
    void aDeletedProjectIsGoneAndItsIdFree() {
        String project = catalog.freshProject();
        server.delete("/v1/projects/" + project).ok();
        refused(server.get("/v1/projects/" + project), 404, 4);
        refused(server.delete("/v1/projects/" + project), 404, 4);
        assertThat(listed()).doesNotContain(project);
        create(project).ok();
        assertThat(listed()).contains(project);
    }

    @Test
    void oneCorruptRecordHidesNoOtherProjectAndNothingIsDecidedOnIt() throws Exception {
        String kept = catalog.freshProject();
        String corrupt = catalog.freshProject();
        String body = "{\"id\":\"" + catalog.freshName("lake") + "\",\"project\":\"" + corrupt + "\"}";
        try (Tampered ignored = Tampered.corrupt(catalog.record("_projects/" + corrupt + ".json"))) {
            assertThat(listed()).contains(kept).doesNotContain(corrupt);
            refused(server.get("/v1/projects/" + corrupt), 503, 17);
            refused(server.delete("/v1/projects/" + corrupt), 503, 17);
            refused(server.delete("/v1/projects/" + corrupt + "?force=true"), 503, 17);
            refused(create(corrupt), 503, 17);
            refused(server.post("/v1/warehouses", body), 503, 17);
        }
        server.post("/v1/warehouses", body).ok();
    }
}
