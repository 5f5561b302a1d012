package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the doors of warehouses promise. */
@ExtendWith(SharedCatalog.Provider.class)
class WarehouseBehaviourTest {
    private final SharedCatalog catalog;
    private final RunningServer server;

    WarehouseBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    /** @param more further fields of the body, each with a comma before it */
    private Answer create(String id, String project, String more) {
        return server.post("/v1/warehouses", "{\"id\":\"" + id + "\",\"project\":\"" + project + "\"" + more + "}");
    }

    private List<String> listed() {
        return server.get("/v1/warehouses")
                .ok()
                .json()
                .path("warehouses")
                .valueStream()
                .map(warehouse -> warehouse.path("id").asString())
                .toList();
    }

    @Test
    void aWarehouseForAnUnrecordedProjectNamesTheDoorThatMakesOne() {
        String id = catalog.freshName("lake");
        Answer answer = refused(create(id, catalog.freshName("project"), ""), 404, 4);
        assertThat(reason(answer)).contains("POST /v1/projects");
        assertThat(listed()).doesNotContain(id);
        assertThat(catalog.root(id)).doesNotExist();
    }

    @Test
    void aWarehouseHasItsOwnIdAsBucketUnlessItNamesOne() {
        String project = catalog.freshProject();
        String plain = catalog.freshName("lake");
        String other = catalog.freshName("lake");
        assertThat(create(plain, project, "").ok().json().path("bucket").asString())
                .isEqualTo(plain);
        JsonNode made =
                create(other, project, ",\"bucket\":\"" + other + "-b\"").ok().json();
        assertThat(made.path("bucket").asString()).isEqualTo(other + "-b");
        assertThat(made.path("root").asString()).endsWith("/" + other + "-b");
        assertThat(made.path("status").asString()).isEqualTo("active");
        assertThat(server.get("/v1/warehouses/" + other).ok().json()).isEqualTo(made);
        assertThat(listed()).contains(plain, other);
    }

    @Test
    void ofTwoProjectsRacingForOneWarehouseIdOneWinsAndTheOtherSeesAConflict() throws Exception {
        List<String> projects = List.of(catalog.freshProject(), catalog.freshProject());
        try (Race race = new Race(8)) {
            for (int round = 0; round < 5; round++) {
                String id = catalog.freshName("lake");
                List<Answer> answers = race.run(runner ->
                        create(id, projects.get(runner % 2), ",\"bucket\":\"" + id + "-" + (runner % 2) + "\""));
                String winner = server.get("/v1/warehouses/" + id)
                        .ok()
                        .json()
                        .path("project")
                        .asString();
                for (int runner = 0; runner < 8; runner++) {
                    if (projects.get(runner % 2).equals(winner)) {
                        assertThat(answers.get(runner)
                                        .ok()
                                        .json()
                                        .path("project")
                                        .asString())
                                .isEqualTo(winner);
                    } else {
                        refused(answers.get(runner), 409, 2);
                    }
                }
            }
        }
    }

    @Test
    void aBucketBelongsToOneProjectEvenUnderARace() throws Exception {
        List<String> projects = List.of(catalog.freshProject(), catalog.freshProject());
        try (Race race = new Race(2)) {
            for (int round = 0; round < 5; round++) {
                String bucket = catalog.freshName("bucket");
                List<Answer> answers = race.run(runner ->
                        create(bucket + "-w" + runner, projects.get(runner), ",\"bucket\":\"" + bucket + "\""));
                assertThat(answers.stream().filter(answer -> answer.status() == 200))
                        .hasSize(1);
                answers.stream()
                        .filter(answer -> answer.status() != 200)
                        .forEach(answer -> assertThat(reason(refused(answer, 409, 2)))
                                .doesNotContain(projects.get(0))
                                .doesNotContain(projects.get(1))
                                .doesNotContain("-w"));
            }
        }
    }

    @Test
    void aReservedBucketIsRefused() {
        String project = catalog.freshProject();
        refused(create(SharedCatalog.RESERVED_BUCKET, project, ""), 400, 13);
        String id = catalog.freshName("lake");
        refused(create(id, project, ",\"bucket\":\"" + SharedCatalog.RESERVED_BUCKET + "\""), 400, 13);
        assertThat(listed()).doesNotContain(id, SharedCatalog.RESERVED_BUCKET);
    }

    @Test
    void recreatingAWarehouseKeepsItsPlaceItsProjectAndItsProtection() {
        String project = catalog.freshProject();
        String id = catalog.freshName("lake");
        JsonNode made = create(id, project, ",\"protected\":true").ok().json();
        assertThat(create(id, project, "").ok().json()).isEqualTo(made);
        assertThat(create(id, project, ",\"protected\":false").ok().json()).isEqualTo(made);
        refused(create(id, catalog.freshProject(), ""), 409, 2);
        refused(create(id, project, ",\"bucket\":\"" + id + "-b\""), 409, 2);
        refused(create(id, project, ",\"root\":\"file://" + catalog.root(id + "-r") + "\""), 409, 2);
        assertThat(server.get("/v1/warehouses/" + id).ok().json()).isEqualTo(made);
    }

    @Test
    void recreatingADeactivatedWarehouseLeavesItDeactivated() {
        String project = catalog.freshProject();
        String id = catalog.freshName("lake");
        create(id, project, "").ok();
        server.post("/v1/warehouses/" + id + "/deactivate").ok();
        assertThat(create(id, project, "").ok().json().path("status").asString())
                .isEqualTo("deactivated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"id\":\"Lake\"",
                "\"id\":\"lake\\n\"",
                "\"id\":\"la\"",
                "\"id\":\"-lake\"",
                "\"id\":null",
                "\"id\":\"-\""
            })
    void aWarehouseIdOfAnotherShapeIsRefused(String id) {
        String project = catalog.freshProject();
        refused(server.post("/v1/warehouses", "{" + id + ",\"project\":\"" + project + "\"}"), 400, 13);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bucket     | 'Bucket'",
                "bucket     | 'bu'",
                "bucket     | '../bucket'",
                "root       | '/etc'",
                "root       | 'file:///etc'",
                "root       | 'file:///'",
                "root       | 'ftp://host/x'",
                "root       | 's3://somewhere-else/x'",
                "endpoint   | 'http://169.254.169.254'",
                "credential | 'nobodys'"
            })
    void storageOutsideWhatTheOperatorAllowsIsRefused(String field, String value) {
        String project = catalog.freshProject();
        String id = catalog.freshName("lake");
        refused(create(id, project, ",\"" + field + "\":\"" + value + "\""), 400, 13);
        refused(server.get("/v1/warehouses/" + id), 404, 4);
    }

    @Test
    void aDeactivatedWarehouseRefusesEverythingBelowIt() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String table = home.table("t");
        String namespace = "/v1/namespace/" + home.namespace();
        String child = "/v1/namespace/" + RunningServer.id(home.namespace(), "child");
        server.arrow(table + "/create", Rows.THREE).ok();
        server.post(child + "/create", "{}").ok();
        String warehouse = "/v1/warehouses/" + home.warehouse();
        server.post(warehouse + "/deactivate").ok();
        assertThat(server.post(warehouse + "/deactivate")
                        .ok()
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("deactivated");
        for (String path : List.of(
                namespace + "/describe",
                namespace + "/exists",
                namespace + "/drop",
                child + "/describe",
                child + "/drop",
                child + "2/create",
                table + "/describe",
                table + "/exists",
                table + "/count_rows",
                table + "/drop",
                home.table("fresh") + "/declare")) {
            refused(server.post(path, "{}"), 403, 15);
        }
        refused(server.get(namespace + "/list"), 403, 15);
        refused(server.get(namespace + "/table/list"), 403, 15);
        refused(server.arrow(table + "/insert", Rows.THREE), 403, 15);
        refused(server.arrow(home.table("fresh") + "/create", Rows.THREE), 403, 15);
        refused(server.post(table + "/update", "{\"updates\":[[\"id\",\"1\"]]}"), 403, 15);
        refused(server.post(table + "/delete", "{\"predicate\":\"true\"}"), 403, 15);
        refused(server.post(warehouse + "/namespaces", "{\"namespace\":\"fresh\"}"), 403, 15);
        refused(server.delete(warehouse + "/namespaces/" + home.namespace()), 403, 15);
        assertThat(server.post(warehouse + "/activate")
                        .ok()
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("active");
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
        assertThat(catalog.tableFolders(home.warehouse())).hasSize(1);
    }

    @Test
    void aDeactivatedWarehouseStillCountsItsNamespacesAgainstADelete() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String warehouse = "/v1/warehouses/" + home.warehouse();
        server.post(warehouse + "/deactivate").ok();
        refused(server.delete(warehouse), 409, 3);
        assertThat(server.get(warehouse).ok().json().path("status").asString()).isEqualTo("deactivated");
    }

    @Test
    void aWarehouseThatHoldsNamespacesIsNotDeletedAndNamesThem() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String warehouse = "/v1/warehouses/" + home.warehouse();
        for (String query : List.of("", "?force=true")) {
            assertThat(reason(refused(server.delete(warehouse + query), 409, 3)))
                    .contains(home.namespace());
        }
        refused(server.delete(warehouse + "?purge_bucket=true"), 409, 3);
        server.post("/v1/namespace/" + home.namespace() + "/drop").ok();
        server.delete(warehouse).ok();
        refused(server.get(warehouse), 404, 4);
        refused(server.delete(warehouse), 404, 4);
    }

    @Test
    void onlyForceDeletesAProtectedEmptyWarehouse() {
        String project = catalog.freshProject();
        String id = catalog.freshName("lake");
        create(id, project, ",\"protected\":true").ok();
        assertThat(reason(refused(server.delete("/v1/warehouses/" + id), 409, 3)))
                .contains("force=true");
        refused(server.delete("/v1/warehouses/" + id + "?force=false"), 409, 3);
        server.delete("/v1/warehouses/" + id + "?force=true").ok();
        assertThat(create(id, project, "").ok().json().path("protected").booleanValue())
                .isFalse();
    }

    @Test
    void unbindingANamespaceDestroysNothing() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String namespaces = "/v1/warehouses/" + home.warehouse() + "/namespaces";
        server.arrow(home.table("t") + "/create", Rows.THREE).ok();
        assertThat(reason(refused(server.delete(namespaces + "/" + home.namespace()), 409, 3)))
                .contains("t");
        server.post(home.table("t") + "/drop").ok();
        server.delete(namespaces + "/" + home.namespace()).ok();
        refused(server.delete(namespaces + "/" + home.namespace()), 404, 1);
        refused(server.post("/v1/namespace/" + home.namespace() + "/exists"), 404, 1);
        String body = "{\"namespace\":\"" + home.namespace() + "\"";
        assertThat(reason(refused(server.post(namespaces, body + "}"), 409, 2))).contains("adopt_existing");
        assertThat(server.post(namespaces, body + ",\"adopt_existing\":true}")
                        .ok()
                        .json()
                        .path("created")
                        .booleanValue())
                .isTrue();
        server.post("/v1/namespace/" + home.namespace() + "/exists").ok();
    }

    @Test
    void aNamespaceBoundElsewhereIsAConflictEvenForAnAdopter() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String other = catalog.freshWarehouse();
        for (String adopt : List.of("", ",\"adopt_existing\":true")) {
            refused(
                    server.post(
                            "/v1/warehouses/" + other + "/namespaces",
                            "{\"namespace\":\"" + home.namespace() + "\"" + adopt + "}"),
                    409,
                    2);
        }
        refused(server.delete("/v1/warehouses/" + other + "/namespaces/" + home.namespace()), 404, 1);
        assertThat(bindings()).contains(home.namespace() + "@" + home.warehouse());
    }

    private List<String> bindings() {
        return server.get("/v1/warehouses/-/bindings")
                .ok()
                .json()
                .path("bindings")
                .valueStream()
                .map(binding -> binding.path("namespace").asString() + "@"
                        + binding.path("warehouse").asString())
                .toList();
    }

    @Test
    void bindingANamespaceAgainSucceedsAndSaysThatItWasThere() {
        String warehouse = catalog.freshWarehouse();
        String namespace = catalog.freshName("space");
        String body = "{\"namespace\":\"" + namespace + "\",\"properties\":{\"owner\":\"ann\"}}";
        JsonNode first = server.post("/v1/warehouses/" + warehouse + "/namespaces", body)
                .ok()
                .json();
        assertThat(first.path("created").booleanValue()).isTrue();
        JsonNode second = server.post("/v1/warehouses/" + warehouse + "/namespaces", body.replace("ann", "bob"))
                .ok()
                .json();
        assertThat(second.path("created").booleanValue()).isFalse();
        assertThat(second.path("properties").path("owner").asString()).isEqualTo("ann");
        assertThat(server.get("/v1/warehouses/" + warehouse + "/namespaces")
                        .ok()
                        .json()
                        .path("namespaces")
                        .valueStream()
                        .map(JsonNode::asString))
                .containsExactly(namespace);
    }

    @Test
    void theDoorsOfAnAbsentWarehouseSayThatItIsAbsent() {
        String warehouse = "/v1/warehouses/" + catalog.freshName("lake");
        refused(server.get(warehouse), 404, 4);
        refused(server.delete(warehouse), 404, 4);
        refused(server.post(warehouse + "/activate"), 404, 4);
        refused(server.post(warehouse + "/deactivate"), 404, 4);
        refused(server.get(warehouse + "/namespaces"), 404, 4);
        refused(server.post(warehouse + "/namespaces", "{\"namespace\":\"sales\"}"), 404, 4);
        refused(server.delete(warehouse + "/namespaces/sales"), 404, 4);
    }

    @Test
    void oneCorruptRecordHidesNoOtherButBlocksADelete() throws Exception {
        String project = catalog.freshProject();
        String id = catalog.freshName("lake");
        create(id, project, "").ok();
        SharedCatalog.Home other = catalog.freshNamespace();
        try (Tampered ignored = Tampered.corrupt(catalog.record("_warehouses/" + other.warehouse() + ".json"))) {
            assertThat(listed()).contains(id).doesNotContain(other.warehouse());
            refused(server.delete("/v1/projects/" + project), 503, 17);
            refused(server.get("/v1/warehouses/" + other.warehouse()), 503, 17);
            refused(server.post("/v1/namespace/" + other.namespace() + "/exists"), 503, 17);
        }
        server.post("/v1/namespace/" + other.namespace() + "/exists").ok();
    }

    @Test
    void anUnreadableBindingIsAnOutageAndNeverAnotherPlace() throws Exception {
        SharedCatalog.Home home = catalog.freshNamespace();
        server.arrow(home.table("t") + "/create", Rows.THREE).ok();
        try (Tampered ignored = Tampered.corrupt(catalog.bindingRecord(home.namespace()))) {
            Answer answer = refused(server.post(home.table("t") + "/describe"), 503, 17);
            assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
            refused(server.arrow(home.table("t2") + "/create", Rows.THREE), 503, 17);
            refused(server.get("/v1/namespace/$/list"), 503, 17);
            refused(server.get("/v1/warehouses/-/bindings"), 503, 17);
            refused(server.delete("/v1/warehouses/" + home.warehouse()), 503, 17);
        }
        assertThat(server.post(home.table("t") + "/count_rows").ok().text()).isEqualTo("3");
        refused(server.post(home.table("t2") + "/exists"), 404, 4);
    }

    @Test
    void aChangeKeepsFieldsThatANewerServerWrote() throws Exception {
        String id = catalog.freshWarehouse();
        JsonMapper json = JsonMapper.shared();
        Tampered.rewrite(catalog.record("_warehouses/" + id + ".json"), bytes -> {
            ObjectNode record = (ObjectNode) json.readTree(bytes);
            record.put("serving", "gold");
            return json.writeValueAsBytes(record);
        });
        server.post("/v1/warehouses/" + id + "/deactivate").ok();
        server.post("/v1/warehouses/" + id + "/activate").ok();
        JsonNode after = json.readTree(catalog.record("_warehouses/" + id + ".json"));
        assertThat(after.path("serving").asString()).isEqualTo("gold");
        assertThat(after.path("status").asString()).isEqualTo("active");
    }

    @Test
    void concurrentChangesOfOneWarehouseLoseNeither() throws Exception {
        String project = catalog.freshProject();
        try (Race race = new Race(4)) {
            for (int round = 0; round < 5; round++) {
                String id = catalog.freshName("lake");
                create(id, project, "").ok();
                race.run(runner -> runner == 0
                        ? server.post("/v1/warehouses/" + id + "/deactivate").ok()
                        : create(id, project, ",\"protected\":true").ok());
                JsonNode after = server.get("/v1/warehouses/" + id).ok().json();
                assertThat(after.path("status").asString()).isEqualTo("deactivated");
                assertThat(after.path("protected").booleanValue()).isTrue();
            }
        }
    }

    @Test
    void aTopLevelNameIsBoundByExactlyOneOfTwoWarehousesThatRaceForIt() throws Exception {
        List<String> warehouses = List.of(catalog.freshWarehouse(), catalog.freshWarehouse());
        try (Race race = new Race(8)) {
            for (int round = 0; round < 5; round++) {
                String name = catalog.freshName("space");
                List<Answer> answers = race.run(runner -> server.post(
                        "/v1/warehouses/" + warehouses.get(runner % 2) + "/namespaces",
                        "{\"namespace\":\"" + name + "\"}"));
                List<String> winners = answers.stream()
                        .filter(answer -> answer.status() == 200)
                        .map(answer -> answer.json().path("warehouse").asString())
                        .distinct()
                        .toList();
                assertThat(winners).hasSize(1);
                answers.stream().filter(answer -> answer.status() != 200).forEach(answer -> refused(answer, 409, 2));
                assertThat(bindings()).contains(name + "@" + winners.getFirst());
            }
        }
    }
}
