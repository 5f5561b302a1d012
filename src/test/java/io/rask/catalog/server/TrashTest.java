package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What is dropped while dropped things are kept: it goes into the trash, comes back as it was, or is purged. */
class TrashTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir
    static Path folder;

    private static RunningServer server;
    /** Another server over the same storage, which keeps nothing that is dropped there. */
    private static RunningServer other;

    private final String space = "space-" + NAMES.incrementAndGet();
    private final String warehouse = "lake-" + space;
    private final String namespace = "/v1/namespace/" + space;
    private final String table = table("t");

    TrashTest() {
        server.makeNamespace("acme", warehouse, space);
    }

    @BeforeAll
    static void start() {
        server = RunningServer.on(folder, Map.of("lance.trash-grace-days", "7"));
        other = RunningServer.on(folder, Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
        other.close();
    }

    private String table(String name) {
        return "/v1/table/" + id(space, name);
    }

    private Path create(String address) {
        server.arrow(address + "/create?properties=" + id("{\"a\":\"1\"}"), Rows.THREE)
                .ok();
        return Clones.folder(
                server.post(address + "/describe").ok().json().path("location").asString());
    }

    private static void cascade(String namespace) {
        server.post(namespace + "/drop", "{\"behavior\":\"cascade\"}").ok();
    }

    private JsonNode task(String address) {
        JsonNode tasks = server.get(address + "/tasks").ok().json();
        assertThat(tasks).hasSize(1);
        return tasks.get(0);
    }

    private JsonNode trash() {
        return server.get("/v1/warehouses/" + warehouse + "/trash").ok().json().path("trash");
    }

    private static boolean hasRecord(String kind, String id) {
        return server.bean(Records.class)
                .read(RecordKey.of("_trash", RecordKey.hashed(kind, id)))
                .isPresent();
    }

    @Test
    void aDroppedTableGoesIntoTheTrashAndItsBytesStay() {
        Path bytes = create(table);
        assertThat(server.get(table + "/tasks").ok().json()).isEmpty();
        server.post(table + "/drop").ok();
        refused(server.post(table + "/exists"), 404, 4);
        refused(server.post(table + "/count_rows"), 404, 4);
        assertThat(server.get(namespace + "/table/list").ok().text()).doesNotContain("\"t\"");
        assertThat(server.get("/v1/table?limit=1000").ok().text()).doesNotContain(space + "$t");
        assertThat(bytes).isDirectory();
        JsonNode task = task(table);
        assertThat(task.path("id").asString()).isEqualTo(space + "$t");
        assertThat(task.path("kind").asString()).isEqualTo("table");
        assertThat(Clones.folder(task.path("location").asString())).isEqualTo(bytes);
        assertThat(task.path("dropped_by").asString("")).isNotBlank();
        assertThat(task.path("expired").asBoolean(true)).isFalse();
        Instant dropped = Instant.parse(task.path("dropped_at").asString());
        Instant expires = Instant.parse(task.path("expires_at").asString());
        assertThat(Duration.between(dropped, expires)).isCloseTo(Duration.ofDays(7), Duration.ofMinutes(1));
        assertThat(trash()).containsExactly(task);
        assertThat(server.get("/v1/projects/acme/trash?limit=1000").ok().json().path("trash"))
                .contains(task);
    }

    @Test
    void anUndroppedTableIsAsItWasAndASecondUndropIsASuccess() {
        create(table);
        server.arrow(table + "/insert", Rows.THREE).ok();
        server.post(table + "/tags/create", "{\"tag\":\"gold\",\"version\":1}").ok();
        String described = server.post(table + "/describe").ok().text();
        String versions = server.post(table + "/version/list").ok().text();
        server.post(table + "/drop").ok();
        JsonNode back = server.post(table + "/undrop").ok().json();
        assertThat(back.path("restored")).hasSize(1);
        assertThat(back.path("warnings")).isEmpty();
        assertThat(server.post(table + "/undrop", "{}").ok().json().path("restored"))
                .isEmpty();
        assertThat(server.post(table + "/describe").ok().text()).isEqualTo(described);
        assertThat(server.post(table + "/version/list").ok().text()).isEqualTo(versions);
        assertThat(server.post(table + "/tags/list").ok().text()).contains("gold");
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("6");
        assertThat(trash()).isEmpty();
        assertThat(hasRecord("table", space + "$t")).isFalse();
        refused(server.post(table("never") + "/undrop"), 404, 4);
    }

    @Test
    void aNameInTheTrashIsNotGivenAndTheTextNamesTheWaysOut() {
        Path bytes = create(table);
        server.post(table + "/drop").ok();
        String until = task(table).path("expires_at").asString();
        create(table("u"));
        server.post(table("u") + "/deregister").ok();
        for (var answer : List.of(
                server.arrow(table + "/create", Rows.THREE),
                server.arrow(table + "/create?mode=overwrite", Rows.THREE),
                server.arrow(table + "/create?mode=exist_ok", Rows.THREE),
                other.post(table + "/declare"),
                server.post(table + "/register", "{\"location\":\"somewhere\",\"mode\":\"create\"}"),
                server.post(
                        "/v1/table/batch-commit",
                        "{\"operations\":[{\"declare_table\":{\"id\":[\"" + space + "\",\"t\"]}}]}"))) {
            assertThat(reason(refused(answer, 409, 5))).contains(until, "undrop", "purge");
        }
        create(table("v"));
        refused(server.post(table("v") + "/rename", "{\"new_table_name\":\"t\"}"), 409, 5);
        refused(server.post("/v1/namespace/" + id(space, "t") + "/create", "{}"), 409, 2);
        refused(server.post(table("w") + "/register", "{\"location\":\"" + bytes.getFileName() + "\"}"), 409, 5);
        assertThat(bytes).isDirectory();
        server.post(table + "/undrop").ok();
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void aPurgeDestroysAtOnceAndFreesTheName() {
        Path dropped = create(table);
        server.post(table + "/drop?purge=true").ok();
        assertThat(dropped).doesNotExist();
        assertThat(hasRecord("table", space + "$t")).isFalse();
        Path bytes = create(table);
        server.post(table + "/drop").ok();
        JsonNode plan = server.post(table + "/purge?dry_run=true").ok().json();
        assertThat(plan.at("/objects/0/location").asString()).isEqualTo(String.valueOf(bytes.getFileName()));
        assertThat(bytes).isDirectory();
        assertThat(server.post(table + "/purge").ok().json().path("purged")).hasSize(1);
        assertThat(bytes).doesNotExist();
        assertThat(hasRecord("table", space + "$t")).isFalse();
        refused(server.post(table + "/purge"), 404, 4);
        refused(server.post(table + "/undrop"), 404, 4);
        create(table);
        refused(server.post(table + "/purge"), 404, 4);
    }

    @Test
    void theDeadlineStandsInNobodysWay() {
        create(table);
        server.post(table + "/drop").ok();
        RecordKey key = RecordKey.of("_trash", RecordKey.hashed("table", space + "$t"));
        server.bean(Records.class).mutate(key, content -> content.put("expires_at", "2020-01-01T00:00:00Z"));
        assertThat(task(table).path("expired").asBoolean()).isTrue();
        server.post(table + "/undrop").ok();
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void aTableComesBackUnderAnotherNameAndInAnotherNamespace() {
        create(table);
        server.post(table + "/drop").ok();
        create(table("taken"));
        refused(server.post(table + "/undrop", "{\"new_table_name\":\"taken\"}"), 409, 5);
        refused(server.post(table + "/undrop", "{\"new_namespace_id\":[\"" + space + "\",\"none\"]}"), 404, 1);
        server.post("/v1/namespace/" + id(space, "inner") + "/create", "{}").ok();
        JsonNode back = server.post(
                        table + "/undrop",
                        "{\"new_table_name\":\"u\",\"new_namespace_id\":[\"" + space + "\",\"inner\"]}")
                .ok()
                .json();
        assertThat(back.path("id").asString()).isEqualTo(space + "$inner$u");
        assertThat(server.post("/v1/table/" + id(space, "inner", "u") + "/count_rows")
                        .ok()
                        .text())
                .isEqualTo("3");
        create(table);
        refused(server.post(table + "/undrop", "{\"new_table_name\":\"w\"}"), 409, 5);
    }

    @Test
    void anUndropUnderAnotherNameIsASuccessWhenItIsAskedForAgainAndNoOtherIs() {
        create(table);
        server.post(table + "/drop").ok();
        String asU = "{\"new_table_name\":\"u\"}";
        server.post(table + "/undrop", asU).ok();
        JsonNode again = server.post(table + "/undrop", asU).ok().json();
        assertThat(again.path("id").asString()).isEqualTo(space + "$u");
        assertThat(again.path("restored")).isEmpty();
        refused(server.post(table + "/undrop", "{\"new_table_name\":\"w\"}"), 404, 4);
        create(table);
        server.post(table + "/undrop", asU).ok();
        server.post(table("u") + "/drop?purge=true").ok();
        create(table("u"));
        refused(server.post(table + "/undrop", asU), 409, 5);
        server.post(table + "/drop").ok();
        refused(server.post(table + "/undrop", asU), 409, 5);
        assertThat(server.get(table + "/tasks").ok().json()).hasSize(1);
    }

    @Test
    void aDeclaredTableComesBackDeclaredWithAWarning() {
        server.post(table + "/declare").ok();
        server.post(table + "/drop").ok();
        JsonNode back = server.post(table + "/undrop").ok().json();
        assertThat(back.at("/warnings/0").asString()).contains(space + "$t");
        server.post(table + "/exists").ok();
    }

    @Test
    void aCascadeKeepsEverythingUnderOneDeadlineAndOneUndropBringsItBack() {
        String inner = "/v1/namespace/" + id(space, "inner");
        String deep = "/v1/table/" + id(space, "inner", "deep");
        server.post(inner + "/create", "{\"properties\":{\"k\":\"v\"}}").ok();
        Path one = create(table);
        Path two = create(deep);
        create(table("before"));
        server.post(table("before") + "/drop").ok();
        JsonNode plan = server.post(namespace + "/drop?dry_run=true", "{\"behavior\":\"cascade\"}")
                .ok()
                .json();
        assertThat(plan.path("recoverable").asBoolean()).isTrue();
        assertThat(plan.path("objects")).hasSize(5);
        server.post(table + "/exists").ok();
        cascade(namespace);
        assertThat(one).isDirectory();
        assertThat(two).isDirectory();
        refused(server.post(namespace + "/exists"), 404, 1);
        assertThat(server.get("/v1/warehouses/" + warehouse + "/namespaces")
                        .ok()
                        .json()
                        .path("namespaces"))
                .isEmpty();
        JsonNode tasks = server.get(namespace + "/tasks").ok().json();
        assertThat(tasks).hasSize(5);
        assertThat(tasks.valueStream()
                        .filter(entry -> entry.path("dropped_with").asString("").equals(space)
                                || entry.path("id").asString().equals(space))
                        .map(entry -> entry.path("expires_at").asString())
                        .distinct())
                .hasSize(1);
        assertThat(reason(refused(server.post(table + "/undrop"), 404, 1))).contains(space);
        refused(server.post("/v1/table/" + id(space, "new") + "/declare"), 404, 1);
        JsonNode back = server.post(namespace + "/undrop", "{}").ok().json();
        assertThat(back.path("restored").valueStream().map(JsonNode::asString))
                .containsExactly(space, space + "$inner", space + "$inner$deep", space + "$t");
        assertThat(server.post(namespace + "/undrop", "{}").ok().json().path("restored"))
                .isEmpty();
        assertThat(server.post(inner + "/describe", "{}")
                        .ok()
                        .json()
                        .at("/properties/k")
                        .asString())
                .isEqualTo("v");
        assertThat(server.post(deep + "/count_rows").ok().text()).isEqualTo("3");
        refused(server.post(table("before") + "/exists"), 404, 4);
        assertThat(trash()).hasSize(1);
    }

    @Test
    void aTopLevelNameInTheTrashIsNotGivenInAnyWarehouse() {
        create(table);
        cascade(namespace);
        String elsewhere = "lake-two-" + space;
        server.post("/v1/warehouses", "{\"id\":\"" + elsewhere + "\",\"project\":\"acme\"}")
                .ok();
        for (String lake : List.of(warehouse, elsewhere)) {
            for (String adopt : List.of("true", "false")) {
                assertThat(reason(refused(
                                server.post(
                                        "/v1/warehouses/" + lake + "/namespaces",
                                        "{\"namespace\":\"" + space + "\",\"adopt_existing\":" + adopt + "}"),
                                409,
                                2)))
                        .contains("undrop", "purge");
            }
        }
        server.post(namespace + "/purge", "{}").ok();
        assertThat(trash()).isEmpty();
        server.post("/v1/warehouses/" + elsewhere + "/namespaces", "{\"namespace\":\"" + space + "\"}")
                .ok();
        refused(server.post(namespace + "/purge", "{}"), 404, 1);
    }

    /** Nothing but a lost record could lead to it: the name is then not known to be in the trash. */
    @Test
    void anUndropIsRefusedWhereTheNameIsBoundElsewhereNow() {
        create(table);
        cascade(namespace);
        String elsewhere = "lake-two-" + space;
        server.post("/v1/warehouses", "{\"id\":\"" + elsewhere + "\",\"project\":\"acme\"}")
                .ok();
        Records records = server.bean(Records.class);
        RecordKey key = RecordKey.of("_trash", RecordKey.hashed("namespace", space));
        var record = records.read(key).orElseThrow().content();
        records.tombstone(key, any -> true);
        server.post("/v1/warehouses/" + elsewhere + "/namespaces", "{\"namespace\":\"" + space + "\"}")
                .ok();
        records.put(key, record);
        refused(server.post(namespace + "/undrop", "{}"), 409, 2);
        assertThat(server.get("/v1/warehouses/" + elsewhere + "/namespaces")
                        .ok()
                        .text())
                .contains(space);
    }

    @Test
    void anEmptyNamespaceLeavesNoRecordAndOneThatHoldsOnlyTrashGoesThereWithIt() {
        server.post(namespace + "/drop", "{}").ok();
        assertThat(hasRecord("namespace", space)).isFalse();
        server.makeNamespace("acme", warehouse, space);
        create(table);
        server.post(table + "/drop").ok();
        refused(server.delete("/v1/warehouses/" + warehouse + "/namespaces/" + space), 409, 3);
        refused(server.post(namespace + "/drop?purge=true", "{}"), 409, 3);
        other.post(namespace + "/drop", "{}").ok();
        refused(server.post(namespace + "/exists"), 404, 1);
        assertThat(server.post(namespace + "/undrop", "{}").ok().json().path("restored"))
                .hasSize(1);
        assertThat(task(table).path("dropped_with").isMissingNode()).isTrue();
        server.post(table + "/undrop").ok();
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void aCascadeTouchesNothingWhereADescendantIsProtected() {
        create(table);
        create(table("safe"));
        server.post(table("safe") + "/protection", "{\"protected\":true}").ok();
        assertThat(reason(refused(server.post(namespace + "/drop", "{\"behavior\":\"cascade\"}"), 409, 19)))
                .contains(space + "$safe");
        server.post(table + "/exists").ok();
        assertThat(trash()).isEmpty();
        assertThat(hasRecord("table", space + "$t")).isFalse();
        server.post(namespace + "/drop?force=true", "{\"behavior\":\"cascade\"}")
                .ok();
        server.post(namespace + "/undrop", "{}").ok();
        assertThat(server.get(table("safe") + "/protection")
                        .ok()
                        .json()
                        .path("protected")
                        .asBoolean(true))
                .isFalse();
    }

    @Test
    void aCloneInTheTrashHoldsItsSourceAndASourceInTheTrashKeepsItsBytes() {
        Path source = create(table);
        Path clone = source.resolveSibling("00000000_clone");
        Clones.make(source, clone);
        server.post(table("c") + "/register", "{\"location\":\"00000000_clone\"}")
                .ok();
        server.post(table("c") + "/drop").ok();
        refused(server.post(table + "/drop?purge=true"), 409, 19);
        refused(server.post(table + "/drop"), 409, 19);
        cascade(namespace);
        server.post(namespace + "/undrop", "{}").ok();
        server.post(table("c") + "/undrop").ok();
        assertThat(server.post(table("c") + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void theOrphanScanDoesNotReportWhatIsInTheTrash() {
        Path bytes = create(table);
        cascade(namespace);
        JsonNode found = server.post("/v1/warehouses/" + warehouse + "/orphans/scan", "{\"minimum_age_seconds\":0}")
                .json();
        assertThat(found.path("result").path("orphans").asInt(0)).isZero();
        assertThat(bytes).isDirectory();
    }

    @Test
    void aDryRunTellsWhatWouldGoAndChangesNothing() {
        Path bytes = create(table);
        JsonNode plan = server.post(table + "/drop?dry_run=true").ok().json();
        assertThat(plan.path("dry_run").asBoolean()).isTrue();
        assertThat(plan.path("recoverable").asBoolean()).isTrue();
        assertThat(plan.at("/objects/0/id").asString()).isEqualTo(space + "$t");
        assertThat(plan.path("refusals")).isEmpty();
        assertThat(server.post(table + "/drop?dry_run=true&purge=true")
                        .ok()
                        .json()
                        .path("recoverable")
                        .asBoolean(true))
                .isFalse();
        assertThat(server.post(table + "/deregister?dry_run=true").ok().json().path("objects"))
                .hasSize(1);
        assertThat(server.post(namespace + "/drop?dry_run=true", "{}")
                        .ok()
                        .json()
                        .at("/refusals/0/code")
                        .asInt())
                .isEqualTo(3);
        for (String unclear : List.of("1", "yes", "")) {
            refused(server.post(table + "/drop?dry_run=" + unclear), 400, 13);
        }
        refused(server.post(table + "/drop?purge=now"), 400, 13);
        server.post(table + "/protection", "{\"protected\":true}").ok();
        assertThat(server.post(table + "/drop?dry_run=true")
                        .ok()
                        .json()
                        .at("/refusals/0/code")
                        .asInt())
                .isEqualTo(19);
        refused(server.post(table("none") + "/drop?dry_run=true"), 404, 4);
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
        assertThat(Files.isDirectory(bytes)).isTrue();
        server.post(table + "/drop?force=true").ok();
    }

    @Test
    void theListOfTheTrashIsPaged() {
        for (String name : List.of("a", "b", "c")) {
            create(table(name));
            server.post(table(name) + "/drop").ok();
        }
        String list = "/v1/warehouses/" + warehouse + "/trash?limit=2";
        JsonNode first = server.get(list).ok().json();
        assertThat(first.path("trash")).hasSize(2);
        JsonNode second = server.get(
                        list + "&page_token=" + id(first.path("page_token").asString()))
                .ok()
                .json();
        assertThat(second.path("trash")).hasSize(1);
        assertThat(second.at("/trash/0/id").asString()).isEqualTo(space + "$c");
        assertThat(second.has("page_token")).isFalse();
        refused(server.get("/v1/warehouses/none/trash"), 404, 4);
        refused(server.get("/v1/projects/none/trash"), 404, 4);
        refused(server.get("/v1/namespace/%24/tasks"), 400, 13);
    }

    @Test
    void withoutAGraceADropDestroysAndTheNameIsFreeAtOnce() {
        Path bytes = create(table);
        other.post(table + "/drop").ok();
        assertThat(bytes).doesNotExist();
        other.arrow(table + "/create", Rows.THREE).ok();
        assertThat(trash()).isEmpty();
    }

    @Test
    void aDeregistrationFilesNoRecordAndAPurgeNeverFollowsFromIt() {
        Path bytes = create(table);
        server.post(table + "/deregister").ok();
        assertThat(hasRecord("table", space + "$t")).isFalse();
        refused(server.post(table + "/purge"), 404, 4);
        assertThat(bytes).isDirectory();
        create(table);
        server.post(table + "/drop?purge=true").ok();
        assertThat(bytes).isDirectory();
    }

    @Test
    void aSkippedDropOfWhatIsGoneTakesAwayWhatACrashHasLeft() {
        String lost = "lost-" + space;
        server.bean(Records.class)
                .put(
                        RecordKey.of("_warehouses/bindings", RecordKey.hashed("namespace", lost)),
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("top_ns", lost)
                                .put("warehouse_id", warehouse));
        String bound = "/v1/warehouses/" + warehouse + "/namespaces";
        assertThat(server.get(bound).ok().text()).contains(lost);
        server.post("/v1/namespace/" + lost + "/drop", "{\"mode\":\"skip\"}").ok();
        assertThat(server.get(bound).ok().text()).doesNotContain(lost);
        server.post("/v1/namespace/" + lost + "/drop", "{\"mode\":\"skip\"}").ok();
    }

    @Test
    void aDroppedViewComesBackAsTheViewItWas() {
        ViewedTables tables = new ViewedTables(server, space);
        tables.orders("orders", 1, "tea", 1.0);
        tables.made("teas", "SELECT * FROM orders");
        String described = server.post(tables.view("teas") + "/describe").ok().text();
        assertThat(server.post(tables.view("teas") + "/drop?dry_run=true")
                        .ok()
                        .json()
                        .path("recoverable")
                        .asBoolean())
                .isTrue();
        tables.done(ViewedTables.job(server.post(tables.view("teas") + "/drop")));
        refused(server.post(tables.view("teas") + "/describe"), 404, 4);
        assertThat(task(table("teas")).path("dropped_by").asString("")).isNotBlank();
        refused(server.post(table("teas") + "/declare"), 409, 5);
        server.post(table("teas") + "/undrop").ok();
        assertThat(server.post(tables.view("teas") + "/describe").ok().text()).isEqualTo(described);
        tables.refreshed("teas");
    }
}
