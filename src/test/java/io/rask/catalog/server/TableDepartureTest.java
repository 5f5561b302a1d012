package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** How tables leave the catalog, what stands against it, and what stays behind. */
@ExtendWith(SharedCatalog.Provider.class)
class TableDepartureTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String table;
    private final Path root;

    TableDepartureTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
        this.root = catalog.root(home.warehouse());
    }

    private Path create(String address) {
        server.arrow(address + "/create?properties=" + id("{\"a\":\"1\"}"), Rows.THREE)
                .ok();
        return folder(address);
    }

    private Path folder(String address) {
        return Clones.folder(
                server.post(address + "/describe").ok().json().path("location").asString());
    }

    private void register(String address, Path folder) {
        server.post(address + "/register", "{\"location\":\"" + root.relativize(folder) + "\"}")
                .ok();
    }

    private void protect(String kind, String stored, ObjectNode value) {
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        record.put("kind", kind);
        record.put("id", stored);
        record.setAll(value);
        server.bean(Records.class).put(RecordKey.of("_protection", RecordKey.hashed(kind, stored)), record);
    }

    private void protect(String kind, String stored) {
        protect(kind, stored, JsonNodeFactory.instance.objectNode().put("protected", "true"));
    }

    private static long rows(Path dataset) {
        try (Dataset opened = Dataset.open(dataset.toString())) {
            return opened.countRows();
        }
    }

    @Test
    void aDeregistrationTakesTheNameAndKeepsTheBytes() {
        Path folder = create(table);
        JsonNode gone = server.post(table + "/deregister").ok().json();
        assertThat(gone.path("id").valueStream().map(JsonNode::asString)).containsExactly(home.namespace(), "t");
        assertThat(Clones.folder(gone.path("location").asString())).isEqualTo(folder);
        assertThat(gone.path("properties").path("a").asString()).isEqualTo("1");
        refused(server.post(table + "/exists"), 404, 4);
        refused(server.post(table + "/deregister"), 404, 4);
        assertThat(rows(folder)).isEqualTo(3);
        server.arrow(table + "/create", ArrowStreams.longs("id", 1)).ok();
        server.post(table + "/drop").ok();
        assertThat(rows(folder)).isEqualTo(3);
        register(table, folder);
        server.post(table + "/drop").ok();
        assertThat(folder).doesNotExist();
    }

    @Test
    void aDeclaredTableIsDeregisteredToo() {
        server.post(table + "/declare", "{\"properties\":{\"a\":\"1\"}}").ok();
        assertThat(server.post(table + "/deregister/", "null")
                        .ok()
                        .json()
                        .path("properties")
                        .path("a")
                        .asString())
                .isEqualTo("1");
        server.post(table + "/declare").ok();
    }

    @Test
    void aWriteThatMeetsADeregistrationNeverCostsTheKeptBytes() throws Exception {
        Path folder = create(table);
        long rows = 3;
        try (Race race = new Race(2)) {
            for (int round = 0; round < 15; round++) {
                List<Integer> statuses = race.run(runner -> runner == 0
                        ? server.post(table + "/deregister").status()
                        : server.arrow(table + "/insert", ArrowStreams.longs("id", 1))
                                .status());
                assertThat(statuses.getFirst()).isEqualTo(200);
                assertThat(statuses.get(1)).isIn(200, 404);
                // A write that was too late to be confirmed may still have reached the bytes.
                assertThat(rows(folder)).isBetween(statuses.get(1) == 200 ? rows + 1 : rows, rows + 1);
                rows = rows(folder);
                register(table, folder);
                assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo(String.valueOf(rows));
            }
        }
    }

    @Test
    void theSourceOfACloneIsNotDroppedAndTheCloneIsNamed() throws IOException {
        Path source = create(table);
        Path clone = root.resolve("clone");
        Clones.make(source, clone);
        assertThat(reason(refused(server.post(table + "/drop"), 409, 19))).contains("'clone'");
        register(home.table("copy"), clone);
        assertThat(reason(refused(server.post(table + "/drop"), 409, 19))).contains("'" + home.namespace() + "$copy'");
        refused(server.post("/v1/namespace/" + home.namespace() + "/drop", "{}"), 409, 3);
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
        assertThat(server.post(home.table("copy") + "/count_rows").ok().text()).isEqualTo("3");
        server.post(home.table("copy") + "/drop").ok();
        assertThat(clone).doesNotExist();
        server.post(table + "/drop").ok();
        assertThat(source).doesNotExist();
    }

    @Test
    void aCloneMadeOnABranchCountsToo() {
        Path source = create(table);
        Path other = create(home.table("other"));
        Path clone = root.resolve("made-elsewhere");
        Clones.make(source, clone);
        assertThat(clone.toFile().renameTo(other.resolve("tree-b").toFile())).isTrue();
        server.post(home.table("other") + "/exists").ok();
        Path branch = other.resolve("tree").resolve("b");
        assertThat(branch.getParent().toFile().mkdirs()).isTrue();
        assertThat(other.resolve("tree-b").toFile().renameTo(branch.toFile())).isTrue();
        refused(server.post(table + "/drop"), 409, 19);
        server.post(home.table("other") + "/drop").ok();
        server.post(table + "/drop").ok();
        assertThat(source).doesNotExist();
    }

    @Test
    void aCloneInAnotherProjectStandsAgainstADropButIsNotNamed() {
        Path source = create(table);
        SharedCatalog.Home elsewhere = catalog.freshNamespace();
        server.post(elsewhere.table("copy") + "/declare").ok();
        Clones.make(source, folder(elsewhere.table("copy")));
        assertThat(reason(refused(server.post(table + "/drop"), 409, 19)))
                .contains("another project")
                .doesNotContain(elsewhere.namespace());
        server.post(elsewhere.table("copy") + "/drop").ok();
        server.post(table + "/drop").ok();
        assertThat(source).doesNotExist();
    }

    @Test
    void aTableWithBranchesTagsAndItsOwnVersionsIsDroppedWhole() {
        Path folder = create(table);
        try (Dataset dataset = Dataset.open(folder.toString())) {
            dataset.tags().create("gold", Ref.ofMain(1));
            dataset.createBranch("dev", Ref.ofMain(1)).close();
        }
        server.post(table + "/drop").ok();
        assertThat(folder).doesNotExist();
    }

    @Test
    void aSourceAndItsCloneInOneNamespaceGoTogether() {
        String inner = "/v1/namespace/" + id(home.namespace(), "inner");
        server.post(inner + "/create", "{}").ok();
        String first = "/v1/table/" + id(home.namespace(), "inner", "a");
        Path source = create(first);
        Path clone = root.resolve("clone-inside");
        Clones.make(source, clone);
        refused(server.post(inner + "/drop", "{\"behavior\":\"Cascade\"}"), 409, 19);
        assertThat(server.post(first + "/count_rows").ok().text()).isEqualTo("3");
        register("/v1/table/" + id(home.namespace(), "inner", "b"), clone);
        server.post(inner + "/drop", "{\"behavior\":\"Cascade\"}").ok();
        assertThat(source).doesNotExist();
        assertThat(clone).doesNotExist();
    }

    @Test
    void whileAnotherDatasetCannotBeReadBytesStay() throws IOException {
        Path folder = create(table);
        Path unreadable = root.resolve("unreadable/_versions/18446744073709551614.manifest");
        Files.createDirectories(unreadable.getParent());
        Files.writeString(unreadable, "this is no manifest file");
        server.post(table + "/drop").ok();
        refused(server.post(table + "/exists"), 404, 4);
        assertThat(rows(folder)).isEqualTo(3);
        Files.delete(unreadable);
        Path second = create(table);
        server.post(table + "/drop").ok();
        assertThat(second).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"drop", "deregister", "create?mode=overwrite", "register"})
    void aProtectedTableRefusesUntilForced(String operation) {
        Path folder = create(table);
        protect("table", home.namespace() + "$t");
        String query = operation.contains("?") ? "&force=" : "?force=";
        String force = table + "/" + operation + query;
        byte[] rows = ArrowStreams.longs("id", 7);
        Path stray = root.resolve("stray");
        Clones.make(create(home.table("source")), stray);
        String body = operation.equals("register") ? "{\"location\":\"stray\",\"mode\":\"overwrite\"}" : "{}";
        boolean arrow = operation.startsWith("create");
        assertThat(reason(refused(
                        arrow ? server.arrow(force + "false", rows) : server.post(force + "false", body), 409, 19)))
                .contains("force=true");
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
        assertThat(folder(table)).isEqualTo(folder);
        (arrow ? server.arrow(force + "true", rows) : server.post(force + "true", body)).ok();
    }

    @Test
    void aProtectionDiesWithItsTableAndMovesWithItsName() {
        create(table);
        protect("table", home.namespace() + "$t");
        server.post(table + "/rename", "{\"new_table_name\":\"u\"}").ok();
        refused(server.post(home.table("u") + "/drop"), 409, 19);
        create(table);
        server.post(table + "/drop").ok();
        server.post(home.table("u") + "/drop?force=true").ok();
        create(home.table("u"));
        server.post(home.table("u") + "/drop").ok();
    }

    @Test
    void aRenameThatFailsMovesNoProtection() {
        create(table);
        create(home.table("u"));
        protect("table", home.namespace() + "$t");
        refused(server.post(table + "/rename", "{\"new_table_name\":\"u\"}"), 409, 5);
        refused(server.post(table + "/drop"), 409, 19);
        server.post(home.table("u") + "/drop").ok();
    }

    @Test
    void aCascadeStopsAtAProtectedTableOrNamespaceAndNamesIt() {
        String space = "/v1/namespace/" + id(home.namespace(), "inner");
        server.post(space + "/create", "{}").ok();
        String inside = "/v1/table/" + id(home.namespace(), "inner", "t");
        Path folder = create(inside);
        protect("table", home.namespace() + "$inner$t");
        assertThat(reason(refused(server.post(space + "/drop", "{\"behavior\":\"Cascade\"}"), 409, 19)))
                .contains(home.namespace() + "$inner$t");
        server.post(inside + "/drop?force=true").ok();
        protect("namespace", home.namespace() + "$inner");
        refused(server.post(space + "/drop", "{}"), 409, 3);
        server.post(space + "/drop?force=true", "{}").ok();
        assertThat(folder).doesNotExist();
        refused(server.post(space + "/exists"), 404, 1);
    }

    @Test
    void aProtectionThatCannotBeUnderstoodProtectsAndOneThatIsOffDoesNot() throws IOException {
        create(table);
        protect("table", home.namespace() + "$t", JsonNodeFactory.instance.objectNode());
        refused(server.post(table + "/drop"), 409, 19);
        Path record = catalog.record("_protection/" + RecordKey.hashed("table", home.namespace() + "$t") + ".json");
        try (Tampered corrupt = Tampered.corrupt(record)) {
            refused(server.post(table + "/drop"), 503, 17);
            refused(server.post(table + "/deregister"), 503, 17);
        }
        protect(
                "table",
                home.namespace() + "$t",
                JsonNodeFactory.instance.objectNode().put("protected", "false"));
        server.post(table + "/drop").ok();
    }
}
