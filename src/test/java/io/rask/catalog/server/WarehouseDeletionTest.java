package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.Warehouse;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The deletion of warehouses with what is in them. */
class WarehouseDeletionTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir
    static Path folder;

    private static RunningServer server;

    private final String lake = "lake-" + NAMES.incrementAndGet();
    private final String space = "space-of-" + lake;
    private final String address = "/v1/warehouses/" + lake;
    private final String table = "/v1/table/" + id(space, "t");

    WarehouseDeletionTest() {
        server.makeNamespace("acme", lake, space);
    }

    @BeforeAll
    static void start() {
        server = RunningServer.on(
                folder, Map.of("lance.trash-grace-days", "7", "lance.reserved-buckets", "kept-for-others"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Path create() {
        server.arrow(table + "/create", Rows.THREE).ok();
        return Clones.folder(
                server.post(table + "/describe").ok().json().path("location").asString());
    }

    @Test
    void aCascadeTakesNamespacesWithoutTablesAndNamesTheTablesThatStandAgainstIt() {
        server.post("/v1/namespace/" + id(space, "inner") + "/create", "{}").ok();
        create();
        assertThat(reason(refused(server.delete(address), 409, 3))).contains(space);
        assertThat(reason(refused(server.delete(address + "?cascade=true&force=true"), 409, 3)))
                .contains(space + "$t");
        assertThat(server.get(address).ok().json().path("status").asString()).isEqualTo("active");
        server.post(table + "/count_rows").ok();
        server.post(table + "/drop?purge=true").ok();
        JsonNode plan =
                server.delete(address + "?cascade=true&dry_run=true").ok().json();
        assertThat(plan.path("objects")).hasSize(3);
        assertThat(plan.path("refusals")).isEmpty();
        server.get(address).ok();
        JsonNode gone = server.delete(address + "?cascade=true").ok().json();
        assertThat(gone.at("/namespaces_dropped/0").asString()).isEqualTo(space);
        assertThat(gone.path("bucket_purged").asBoolean(true)).isFalse();
        refused(server.get(address), 404, 4);
        refused(server.post("/v1/namespace/" + space + "/exists"), 404, 1);
    }

    @Test
    void theTrashOfAWarehouseGoesWithItAndItsBytesOnlyWhereThatIsAskedFor() {
        Path bytes = create();
        server.post(table + "/drop").ok();
        RecordKey record = RecordKey.of("_trash", RecordKey.hashed("table", space + "$t"));
        assertThat(server.bean(Records.class).read(record)).isPresent();
        // What a table that came back under another name has left, and a drop that a crash cut off.
        server.arrow("/v1/table/" + id(space, "moved") + "/create", Rows.THREE).ok();
        server.post("/v1/table/" + id(space, "moved") + "/drop").ok();
        server.post("/v1/table/" + id(space, "moved") + "/undrop", "{\"new_table_name\":\"other\"}")
                .ok();
        server.post("/v1/table/" + id(space, "other") + "/drop?purge=true").ok();
        RecordKey note = RecordKey.of("_trash", RecordKey.hashed("table", space + "$moved"));
        assertThat(server.bean(Records.class).read(note)).isPresent();
        JsonNode gone = server.delete(address + "?cascade=true").ok().json();
        assertThat(gone.path("trash_cleared").asInt()).isEqualTo(1);
        assertThat(server.bean(Records.class).read(record)).isEmpty();
        assertThat(server.bean(Records.class).read(note)).isEmpty();
        assertThat(bytes).isDirectory();
        server.makeNamespace("acme", lake, space);
        create();
        server.post(table + "/drop").ok();
        JsonNode purged =
                server.delete(address + "?cascade=true&purge_bucket=true").ok().json();
        assertThat(purged.path("bucket_purged").asBoolean()).isTrue();
        assertThat(purged.path("objects_purged").asInt()).isPositive();
        assertThat(bytes).doesNotExist();
        assertThat(folder.resolve("lance").resolve(lake).toFile().list()).containsExactly("__manifest");
        server.makeNamespace("acme", lake, space);
        create();
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void aProtectedNamespaceStandsAgainstTheCascadeUntilForced() {
        server.post("/v1/namespace/" + space + "/protection", "{\"protected\":true}")
                .ok();
        assertThat(reason(refused(server.delete(address + "?cascade=true"), 409, 3)))
                .contains(space);
        server.post("/v1/namespace/" + space + "/exists").ok();
        server.delete(address + "?cascade=true&force=true").ok();
        server.makeNamespace("acme", lake, space);
        server.post("/v1/namespace/" + space + "/drop", "{}").ok();
    }

    @Test
    void aSharedBucketAndAReservedOneAreNotPurged() {
        String sibling = "sibling-" + lake;
        server.post(
                        "/v1/warehouses",
                        "{\"id\":\"" + sibling + "\",\"project\":\"acme\",\"bucket\":\"" + lake + "\",\"root\":\""
                                + folder.resolve("own-" + lake).toUri() + "\"}")
                .ok();
        server.post("/v1/namespace/" + space + "/drop", "{}").ok();
        assertThat(reason(refused(server.delete(address + "?purge_bucket=true"), 409, 3)))
                .contains(sibling);
        assertThat(server.get(address).ok().json().path("status").asString()).isEqualTo("active");
        server.delete("/v1/warehouses/" + sibling).ok();
        server.bean(Records.class)
                .mutate(RecordKey.of("_warehouses", lake), content -> content.put("bucket", "kept-for-others"));
        refused(server.delete(address + "?purge_bucket=true"), 400, 13);
        server.bean(Records.class).mutate(RecordKey.of("_warehouses", lake), content -> content.put("bucket", lake));
        server.delete(address + "?purge_bucket=true").ok();
        refused(server.delete(address + "?cascade=perhaps"), 400, 13);
    }

    @Test
    void aDeactivatedWarehouseIsDeletedAsWellAndOneThatStaysStaysDeactivated() {
        create();
        server.post(address + "/deactivate", "{}").ok();
        refused(server.delete(address + "?cascade=true"), 409, 3);
        assertThat(server.get(address).ok().json().path("status").asString()).isEqualTo("deactivated");
        server.post(address + "/activate", "{}").ok();
        server.post(table + "/drop?purge=true").ok();
        server.post(address + "/deactivate", "{}").ok();
        server.delete(address + "?cascade=true").ok();
    }

    @Test
    void aTableOfANamespaceThatIsNotBoundStandsAgainstThePurgeAndNotAgainstTheRest() {
        Path bytes = create();
        server.bean(Records.class)
                .tombstone(RecordKey.of("_warehouses/bindings", RecordKey.hashed("namespace", space)), any -> true);
        assertThat(reason(refused(server.delete(address + "?cascade=true&purge_bucket=true"), 409, 3)))
                .contains(space + "$t");
        assertThat(bytes).isDirectory();
        server.delete(address).ok();
        assertThat(bytes).isDirectory();
    }

    @Test
    void theSourceOfACloneInAnotherWarehouseStandsAgainstThePurge() {
        Path source = create();
        String other = "clones-of-" + lake;
        server.makeNamespace("acme", other, other);
        server.post(table + "/drop").ok();
        Clones.make(source, folder.resolve("lance").resolve(other).resolve("clone"));
        server.bean(Manifests.class)
                .commit(
                        server.bean(Locator.class)
                                .locate(ObjectId.of(other))
                                .orElseThrow()
                                .root(),
                        view -> ManifestChange.Plan.put(ManifestEntry.table(other + "$clone", "clone", null)));
        assertThat(reason(refused(server.delete(address + "?cascade=true&purge_bucket=true"), 409, 19)))
                .contains(other + "$clone");
        assertThat(source).isDirectory();
    }

    @Test
    void onlyTheCallThatBeganADeletionGivesItUp() {
        WarehouseRegistry warehouses = server.bean(WarehouseRegistry.class);
        assertThatThrownBy(() -> warehouses.delete(lake, false, refusingTheSecondLook(), any -> {}))
                .isInstanceOf(CatalogException.class);
        assertThat(warehouses.require(lake).status()).isEqualTo(Warehouse.Status.ACTIVE);
        assertThatThrownBy(() -> warehouses.delete(lake, false, any -> {}, any -> {
                    throw CatalogException.unavailable("The store is away.", null);
                }))
                .isInstanceOf(CatalogException.class);
        assertThatThrownBy(() -> warehouses.delete(lake, false, refusingTheSecondLook(), any -> {}))
                .isInstanceOf(CatalogException.class);
        assertThat(warehouses.require(lake).status()).isEqualTo(Warehouse.Status.DELETING);
    }

    /** What a deletion leaves whose server died, or whose store went away, behind its mark. */
    private void breakOff(Consumer<Warehouse> steps) {
        WarehouseRegistry warehouses = server.bean(WarehouseRegistry.class);
        assertThatThrownBy(() -> warehouses.delete(lake, false, any -> {}, shut -> {
                    steps.accept(shut);
                    throw CatalogException.unavailable("The store is away.", null);
                }))
                .isInstanceOf(CatalogException.class);
        assertThat(warehouses.require(lake).status()).isEqualTo(Warehouse.Status.DELETING);
    }

    @Test
    void aDeletionThatBrokeOffIsGivenUpByAnActivationWhileThatCanBe() {
        create();
        breakOff(shut -> {});
        refused(server.post(table + "/count_rows"), 403, 15);
        refused(server.delete(address + "?cascade=true"), 409, 3);
        assertThat(server.get(address).ok().json().path("status").asString()).isEqualTo("deleting");
        refused(server.post(address + "/deactivate", "{}"), 409, 14);
        assertThat(server.post(address + "/activate", "{}")
                        .ok()
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("active");
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("3");
        server.post(table + "/drop?purge=true").ok();
        server.delete(address + "?cascade=true").ok();
    }

    @Test
    void aDeletionThatHasTakenRightsBackOnlyEnds() {
        breakOff(shut -> server.bean(WarehouseRegistry.class).endRights(lake, "ann"));
        assertThat(reason(refused(server.post(address + "/activate", "{}"), 409, 14)))
                .contains("repeat it");
        server.delete(address + "?cascade=true").ok();
        refused(server.get(address), 404, 4);
        server.makeNamespace("acme", lake, space);
        server.post(address + "/activate", "{}").ok();
    }

    @Test
    void aDeletionThatWasGivenUpTakesNoRightsBackAnyMore() {
        WarehouseRegistry warehouses = server.bean(WarehouseRegistry.class);
        assertThatThrownBy(() -> warehouses.delete(lake, false, any -> {}, shut -> {
                    warehouses.activate(lake);
                    warehouses.endRights(lake, "ann");
                }))
                .isInstanceOfSatisfying(
                        CatalogException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.CONCURRENT_MODIFICATION));
        assertThat(warehouses.require(lake).status()).isEqualTo(Warehouse.Status.ACTIVE);
    }

    private static Consumer<Warehouse> refusingTheSecondLook() {
        AtomicInteger looks = new AtomicInteger();
        return seen -> {
            if (looks.incrementAndGet() == 2) {
                throw CatalogException.of(ErrorCode.NAMESPACE_NOT_EMPTY, "A table came.");
            }
        };
    }

    @Test
    void oneCorruptRecordOfTheTrashHidesNoOtherAndItsTableIsNotPurged() throws Exception {
        String other = "/v1/table/" + id(space, "u");
        create();
        server.arrow(other + "/create", Rows.THREE).ok();
        server.post(table + "/drop").ok();
        server.post(other + "/drop").ok();
        Path record = folder.resolve("control/_trash/" + RecordKey.hashed("table", space + "$t") + ".json");
        try (Tampered ignored = Tampered.corrupt(record)) {
            JsonNode listed = server.get(address + "/trash").ok().json().path("trash");
            assertThat(listed).as(listed.toString()).hasSize(2);
            assertThat(listed.at("/0/id").asString()).isEqualTo(space + "$t");
            assertThat(listed.get(0).has("expires_at")).isFalse();
            assertThat(listed.get(1).path("expires_at").asString("")).isNotEmpty();
            refused(server.post(table + "/purge"), 503, 17);
            refused(server.delete(address + "?cascade=true"), 503, 17);
            assertThat(server.get(address).ok().json().path("status").asString())
                    .isEqualTo("active");
        }
        for (String each : List.of(table, other)) {
            server.post(each + "/undrop").ok();
            assertThat(server.post(each + "/count_rows").ok().text()).isEqualTo("3");
        }
    }

    @Test
    void aNamespaceInTheTrashKeepsItsNameAndTheRefusalSaysUntilWhenAndWhatToDo() {
        String inner = "/v1/namespace/" + id(space, "inner");
        String outer = "/v1/namespace/" + space;
        server.post(inner + "/create", "{}").ok();
        server.post("/v1/table/" + id(space, "inner", "t") + "/declare").ok();
        server.post(inner + "/drop", "{\"behavior\":\"Cascade\"}").ok();
        String until = deadline(inner);
        for (String mode : List.of("create", "exist_ok", "overwrite")) {
            assertThat(reason(refused(server.post(inner + "/create", "{\"mode\":\"" + mode + "\"}"), 409, 2)))
                    .contains(until, "undrop", "purge");
        }
        server.post(inner + "/undrop", "{}").ok();
        server.post(outer + "/drop", "{\"behavior\":\"Cascade\"}").ok();
        String body = "{\"namespace\":\"" + space + "\"}";
        assertThat(reason(refused(server.post(address + "/namespaces", body), 409, 2)))
                .contains(deadline(outer), "undrop", "purge");
        server.post(outer + "/undrop", "{}").ok();
    }

    private String deadline(String namespace) {
        return server.get(namespace + "/tasks").ok().json().at("/0/expires_at").asString();
    }
}
