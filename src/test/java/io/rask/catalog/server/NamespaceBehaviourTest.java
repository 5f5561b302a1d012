package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.namespace.DirectoryNamespace;
import org.lance.namespace.model.DeclareTableRequest;
import tools.jackson.databind.JsonNode;

/** What the namespace operations promise. */
@ExtendWith(SharedCatalog.Provider.class)
class NamespaceBehaviourTest {
    private final SharedCatalog catalog;
    private final RunningServer server;

    NamespaceBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    private Answer post(String operation, String body, String... segments) {
        return server.post("/v1/namespace/" + id(segments) + "/" + operation, body);
    }

    private JsonNode properties(String... segments) {
        return post("describe", "{}", segments).ok().json().path("properties");
    }

    private List<String> children(String... segments) {
        return server.get("/v1/namespace/" + id(segments) + "/list")
                .ok()
                .json()
                .path("namespaces")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Create", "ExistOk", "Overwrite"})
    void aTopLevelNamespaceIsMadeOnlyThroughTheWarehouseDoor(String mode) {
        String name = catalog.freshName("space");
        assertThat(reason(refused(post("create", "{\"mode\":\"" + mode + "\"}", name), 400, 13)))
                .contains("/v1/warehouses/{id}/namespaces");
        refused(post("exists", "{}", name), 404, 1);
    }

    @Test
    void aNamespaceUnderAnAbsentParentIsRefused() {
        SharedCatalog.Home home = catalog.freshNamespace();
        assertThat(reason(refused(post("create", "{}", home.namespace(), "absent", "child"), 404, 1)))
                .contains(home.namespace() + "$absent");
        refused(post("create", "{}", catalog.freshName("space"), "child"), 404, 1);
    }

    @Test
    void aTableIsNoParent() {
        SharedCatalog.Home home = catalog.freshNamespace();
        server.arrow(home.table("t") + "/create", Rows.THREE).ok();
        refused(post("create", "{}", home.namespace(), "t", "child"), 404, 1);
        refused(server.arrow("/v1/table/" + id(home.namespace(), "t", "t2") + "/create", Rows.THREE), 404, 1);
    }

    @Test
    void theEighthLevelIsRefusedForNamespacesAndTheSeventhHoldsTables() {
        String top = catalog.freshNamespace().namespace();
        List<String> path = new ArrayList<>(List.of(top));
        for (int level = 2; level <= 7; level++) {
            path.add("l" + level);
            post("create", "{}", path.toArray(String[]::new)).ok();
        }
        String table = "/v1/table/" + id(with(path, "t"));
        server.arrow(table + "/create", Rows.THREE).ok();
        refused(post("create", "{}", with(path, "l8")), 400, 13);
        refused(server.arrow("/v1/table/" + id(with(path, "l8", "t")) + "/create", Rows.THREE), 400, 13);
        refused(server.post("/v1/table/" + id(with(path, "l8", "t")) + "/declare", "{}"), 400, 13);
        assertThat(children(path.toArray(String[]::new))).isEmpty();
    }

    private static String[] with(List<String> path, String... more) {
        List<String> longer = new ArrayList<>(path);
        longer.addAll(List.of(more));
        return longer.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "?", "sal*es", "sales?", "**"})
    void wildcardsAreRefusedAtEveryMintingDoor(String name) {
        SharedCatalog.Home home = catalog.freshNamespace();
        refused(post("create", "{}", home.namespace(), name), 400, 13);
        refused(server.arrow(home.table(name) + "/create", Rows.THREE), 400, 13);
        refused(server.post(home.table(name) + "/declare", "{}"), 400, 13);
        refused(
                server.post("/v1/warehouses/" + home.warehouse() + "/namespaces", "{\"namespace\":\"" + name + "\"}"),
                400,
                13);
        assertThat(children(home.namespace())).isEmpty();
        assertThat(catalog.tableFolders(home.warehouse())).isEmpty();
    }

    @Test
    void propertiesGivenAtCreationAreReadBack() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String body = "{\"properties\":{\"owner\":\"ann\",\"empty\":\"\",\"text\":\"ä \\\"q\\\" $\",\"none\":null}}";
        JsonNode answered = post("create", body, home.namespace(), "p").ok().json();
        assertThat(answered.path("properties")).isEqualTo(properties(home.namespace(), "p"));
        assertThat(properties(home.namespace(), "p").path("owner").asString()).isEqualTo("ann");
        assertThat(properties(home.namespace(), "p").path("empty").asString()).isEmpty();
        assertThat(properties(home.namespace(), "p").path("text").asString()).isEqualTo("ä \"q\" $");
        assertThat(properties(home.namespace(), "p").has("none")).isFalse();
    }

    @Test
    void propertiesOfATopLevelNamespaceAreReadBack() {
        String warehouse = catalog.freshWarehouse();
        String name = catalog.freshName("space");
        server.post(
                        "/v1/warehouses/" + warehouse + "/namespaces",
                        "{\"namespace\":\"" + name + "\",\"properties\":{\"owner\":\"ann\"}}")
                .ok();
        assertThat(properties(name).path("owner").asString()).isEqualTo("ann");
    }

    @Test
    void createRefusesAnExistingNamespaceAndLeavesItAsItIs() {
        SharedCatalog.Home home = catalog.freshNamespace();
        post("create", "{\"properties\":{\"a\":\"1\"}}", home.namespace(), "n").ok();
        refused(post("create", "{\"properties\":{\"a\":\"2\"}}", home.namespace(), "n"), 409, 2);
        refused(post("create", "{\"mode\":\"create\"}", home.namespace(), "n"), 409, 2);
        assertThat(properties(home.namespace(), "n").path("a").asString()).isEqualTo("1");
    }

    @Test
    void existOkKeepsAnExistingNamespaceAndMakesAMissingOne() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String body = "{\"mode\":\"ExistOk\",\"properties\":{\"a\":\"1\"}}";
        post("create", body, home.namespace(), "n").ok();
        server.arrow("/v1/table/" + id(home.namespace(), "n", "t") + "/create", Rows.THREE)
                .ok();
        assertThat(post("create", body.replace("1", "2"), home.namespace(), "n")
                        .ok()
                        .json()
                        .path("properties")
                        .path("a")
                        .asString())
                .isEqualTo("1");
        server.post("/v1/table/" + id(home.namespace(), "n", "t") + "/exists").ok();
    }

    @Test
    void overwriteReplacesAnEmptyNamespace() {
        SharedCatalog.Home home = catalog.freshNamespace();
        post("create", "{\"properties\":{\"a\":\"1\",\"b\":\"1\"}}", home.namespace(), "n")
                .ok();
        post("create", "{\"mode\":\"overwrite\",\"properties\":{\"a\":\"2\"}}", home.namespace(), "n")
                .ok();
        assertThat(properties(home.namespace(), "n").path("a").asString()).isEqualTo("2");
        assertThat(properties(home.namespace(), "n").has("b")).isFalse();
        assertThat(children(home.namespace())).containsExactly("n");
    }

    @Test
    void overwritingANamespaceThatHoldsSomethingIsRefusedAndNamesIt() {
        SharedCatalog.Home home = catalog.freshNamespace();
        post("create", "{\"properties\":{\"a\":\"1\"}}", home.namespace(), "n").ok();
        server.arrow("/v1/table/" + id(home.namespace(), "n", "held") + "/create", Rows.THREE)
                .ok();
        assertThat(reason(refused(
                        post("create", "{\"mode\":\"overwrite\",\"properties\":{\"a\":\"2\"}}", home.namespace(), "n"),
                        409,
                        3)))
                .contains("held");
        assertThat(properties(home.namespace(), "n").path("a").asString()).isEqualTo("1");
    }

    @Test
    void aNamespaceAndATableNeverShareAName() {
        SharedCatalog.Home home = catalog.freshNamespace();
        server.arrow(home.table("t") + "/create", Rows.THREE).ok();
        post("create", "{}", home.namespace(), "n").ok();
        for (String mode : List.of("create", "exist_ok", "overwrite")) {
            refused(post("create", "{\"mode\":\"" + mode + "\"}", home.namespace(), "t"), 409, 2);
            refused(server.arrow(home.table("n") + "/create?mode=" + mode, Rows.THREE), 409, 5);
        }
        refused(server.post(home.table("n") + "/declare", "{}"), 409, 5);
        refused(server.post(home.table("n") + "/describe", "{}"), 404, 4);
        refused(server.post(home.table("n") + "/drop", "{}"), 404, 4);
        refused(post("describe", "{}", home.namespace(), "t"), 404, 1);
        refused(post("drop", "{\"behavior\":\"cascade\"}", home.namespace(), "t"), 404, 1);
        server.post(home.table("t") + "/exists").ok();
        assertThat(catalog.tableFolders(home.warehouse())).hasSize(1);
    }

    @Test
    void aDropIsRestrictedToEmptyNamespacesAndNamesWhatIsInside() {
        SharedCatalog.Home home = catalog.freshNamespace();
        post("create", "{}", home.namespace(), "inner").ok();
        for (String body : List.of("{}", "", "{\"behavior\":\"Restrict\"}", "{\"mode\":\"skip\"}")) {
            assertThat(reason(refused(post("drop", body, home.namespace()), 409, 3)))
                    .contains("inner");
        }
        assertThat(post("drop", "{}", home.namespace(), "inner")
                        .ok()
                        .json()
                        .path("properties")
                        .isObject())
                .isTrue();
        post("drop", "{}", home.namespace()).ok();
        refused(post("exists", "{}", home.namespace()), 404, 1);
        assertThat(children("$")).doesNotContain(home.namespace());
        assertThat(server.get("/v1/warehouses/" + home.warehouse() + "/namespaces")
                        .ok()
                        .text())
                .doesNotContain(home.namespace());
    }

    @Test
    void droppingAnAbsentNamespaceFailsUnlessItIsToBeSkipped() {
        SharedCatalog.Home home = catalog.freshNamespace();
        for (String[] absent : new String[][] {{home.namespace(), "x"}, {catalog.freshName("space")}}) {
            refused(post("drop", "{}", absent), 404, 1);
            refused(post("drop", "{\"mode\":\"Fail\"}", absent), 404, 1);
            assertThat(post("drop", "{\"mode\":\"Skip\"}", absent).ok().json().isObject())
                    .isTrue();
        }
    }

    @Test
    void aCascadeDropsEverythingBelowAndItsBytes() {
        SharedCatalog.Home home = catalog.freshNamespace();
        post("create", "{}", home.namespace(), "a").ok();
        post("create", "{}", home.namespace(), "a", "b").ok();
        server.arrow("/v1/table/" + id(home.namespace(), "a", "b", "t") + "/create", Rows.THREE)
                .ok();
        server.arrow("/v1/table/" + id(home.namespace(), "a", "t") + "/create", Rows.THREE)
                .ok();
        server.arrow(home.table("kept") + "/create", Rows.THREE).ok();
        post("drop", "{\"behavior\":\"Cascade\"}", home.namespace(), "a").ok();
        refused(post("exists", "{}", home.namespace(), "a"), 404, 1);
        refused(post("exists", "{}", home.namespace(), "a", "b"), 404, 1);
        refused(server.post("/v1/table/" + id(home.namespace(), "a", "b", "t") + "/exists"), 404, 4);
        assertThat(catalog.tableFolders(home.warehouse()))
                .singleElement()
                .asString()
                .endsWith("kept");
        post("create", "{}", home.namespace(), "a").ok();
        assertThat(children(home.namespace(), "a")).isEmpty();
    }

    @Test
    void aDropAnswersThePropertiesTheNamespaceHad() {
        SharedCatalog.Home home = catalog.freshNamespace();
        post("create", "{\"properties\":{\"a\":\"1\"}}", home.namespace(), "n").ok();
        assertThat(post("drop", "{}", home.namespace(), "n")
                        .ok()
                        .json()
                        .path("properties")
                        .path("a")
                        .asString())
                .isEqualTo("1");
    }

    @Test
    void theRootExistsAndIsNeitherMadeNorDropped() {
        assertThat(post("exists", "{}", "$").ok().bytes()).isEmpty();
        assertThat(properties("$")).isEmpty();
        refused(post("drop", "{\"behavior\":\"cascade\"}", "$"), 400, 13);
        refused(post("create", "{\"mode\":\"exist_ok\"}", "$"), 400, 13);
        assertThat(server.get("/v1/namespace/$/table/list").ok().json().path("tables"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"format,iceberg", "provider,delta", "table_type,parquet", "FORMAT,csv"})
    void anotherFormatThanLanceIsRefusedAtEveryMintingDoor(String property, String format) {
        SharedCatalog.Home home = catalog.freshNamespace();
        String properties = "{\"" + property + "\":\"" + format + "\"}";
        String body = "{\"properties\":" + properties + "}";
        refused(post("create", body, home.namespace(), "n"), 400, 13);
        refused(server.post(home.table("t") + "/declare", body), 400, 13);
        refused(server.arrow(home.table("t") + "/create?properties=" + id(properties), Rows.THREE), 400, 13);
        assertThat(children(home.namespace())).isEmpty();
        assertThat(catalog.tableFolders(home.warehouse())).isEmpty();
        post("create", "{\"properties\":{\"" + property + "\":\"LANCE\"}}", home.namespace(), "n")
                .ok();
    }

    @Test
    void anotherFormatThanLanceIsRefusedAtTheWarehouseDoor() {
        String warehouse = catalog.freshWarehouse();
        String name = catalog.freshName("space");
        refused(
                server.post(
                        "/v1/warehouses/" + warehouse + "/namespaces",
                        "{\"namespace\":\"" + name + "\",\"properties\":{\"format\":\"iceberg\"}}"),
                400,
                13);
        refused(post("exists", "{}", name), 404, 1);
    }

    @Test
    void ofEightCreatorsOfOneNamespaceExactlyOneMakesIt() throws Exception {
        SharedCatalog.Home home = catalog.freshNamespace();
        try (Race race = new Race(8)) {
            for (int round = 0; round < 5; round++) {
                String name = "n" + round;
                List<Answer> answers = race.run(runner -> post("create", "{}", home.namespace(), name));
                assertThat(answers.stream().filter(answer -> answer.status() == 200))
                        .hasSize(1);
                answers.stream().filter(answer -> answer.status() != 200).forEach(answer -> refused(answer, 409, 2));
            }
        }
        assertThat(children(home.namespace())).containsExactly("n0", "n1", "n2", "n3", "n4");
    }

    @Test
    void aTopLevelNamespaceMadeWhileItIsDroppedIsThereOrGoneButNeverHalf() throws Exception {
        SharedCatalog.Home home = catalog.freshNamespace();
        String door = "/v1/warehouses/" + home.warehouse() + "/namespaces";
        String body = "{\"namespace\":\"" + home.namespace() + "\"}";
        try (Race race = new Race(4)) {
            for (int round = 0; round < 30; round++) {
                server.post(door, body).ok();
                List<Answer> answers = race.run(
                        runner -> runner == 0 ? post("drop", "{}", home.namespace()) : server.post(door, body));
                assertThat(answers)
                        .allSatisfy(answer ->
                                assertThat(answer.status()).as(answer.text()).isIn(200, 404, 409));
                boolean exists = post("exists", "{}", home.namespace()).status() == 200;
                boolean bound = children("$").contains(home.namespace());
                assertThat(bound).as("round %d", round).isEqualTo(exists);
                assertThat(server.post(door, body).status())
                        .as("round %d", round)
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aTableThatAnotherToolPutIntoTheRootIsNotAdoptedAsANamespace() {
        SharedCatalog.Home home = catalog.freshNamespace();
        String name = catalog.freshName("stray");
        try (RootAllocator allocator = new RootAllocator();
                DirectoryNamespace foreign = new DirectoryNamespace()) {
            foreign.initialize(
                    Map.of(
                            "root", catalog.root(home.warehouse()).toString(),
                            "manifest_enabled", "true",
                            "dir_listing_enabled", "false"),
                    allocator);
            foreign.declareTable(new DeclareTableRequest().addIdItem(name));
        }
        for (String adopt : List.of("false", "true")) {
            refused(
                    server.post(
                            "/v1/warehouses/" + home.warehouse() + "/namespaces",
                            "{\"namespace\":\"" + name + "\",\"adopt_existing\":" + adopt + "}"),
                    409,
                    2);
        }
        assertThat(children("$")).doesNotContain(name);
    }
}
