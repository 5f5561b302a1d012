package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of rights over the life of a table, and what asking for them costs, on a real permission engine. */
@Tag("engine")
class GovernedLifecycleTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static CountingProxy proxy;
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        OpenFga engine = OpenFga.shared();
        proxy = new CountingProxy(engine.uri());
        catalog = new GovernedCatalog(
                engine,
                Map.of(
                        "lance.fga.api-url", proxy.uri().toString(),
                        "lance.fga.cache-ttl", "0s",
                        "lance.trash-grace-days", "1"));
        catalog.makeNamespace("olga", "acme", "lake", "shop");
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
        if (proxy != null) {
            proxy.close();
        }
    }

    private static String fresh() {
        return "table-" + NAMES.incrementAndGet();
    }

    private static String path(String name) {
        return "/v1/table/" + RunningServer.id("shop", name);
    }

    private static int status(String user, String address) {
        return catalog.as(user).post(address, "{}").status();
    }

    @Test
    void theOwnerUndropsWithoutANewGrantAndAStrangerStillCannot() {
        String name = fresh();
        catalog.as("olga").post(path(name) + "/declare", "{}").ok();
        catalog.grant("rita", "reader", GovernedCatalog.table("shop", name));
        catalog.as("olga").post(path(name) + "/drop", "{}").ok();
        assertThat(status("rita", path(name) + "/undrop")).isEqualTo(403);
        assertThat(status("stranger", path(name) + "/undrop")).isEqualTo(403);
        catalog.as("olga").post(path(name) + "/undrop", "{}").ok();
        assertThat(status("rita", path(name) + "/exists")).isEqualTo(200);
        assertThat(status("stranger", path(name) + "/exists")).isEqualTo(403);
    }

    @Test
    void aNamespaceThatIsReplacedIsThatOfWhoReplacesIt() {
        String name = fresh();
        catalog.grant("mary", "writer", GovernedCatalog.namespace("shop"));
        String space = "/v1/namespace/" + RunningServer.id("shop", name);
        catalog.as("mary").post(space + "/create", "{}").ok();
        catalog.grant("rhea", "reader", GovernedCatalog.namespace("shop", name));
        String replace = "{\"mode\":\"overwrite\",\"properties\":{\"of\":\"olga\"}}";
        refused(catalog.as("rhea").post(space + "/create", replace), 403, 15);
        catalog.as("olga").post(space + "/create", replace).ok();
        assertThat(status("rhea", space + "/describe")).isEqualTo(403);
        assertThat(status("rhea", "/v1/namespace/shop/describe")).isEqualTo(403);
        // She writes in what it lies in, and owns nothing there any more.
        assertThat(status("mary", space + "/describe")).isEqualTo(200);
        assertThat(status("mary", space + "/drop")).isEqualTo(403);
        assertThat(catalog.engine().of(ObjectNames.of(GovernedCatalog.namespace("shop", name))))
                .extracting(Tuple::user)
                .containsExactlyInAnyOrder("user:olga", "namespace:shop");
        catalog.revoke("mary", "writer", GovernedCatalog.namespace("shop"));
    }

    @Test
    void aNameThatIsGivenAgainAfterItsEndHasNoRightsOfBefore() {
        String name = fresh();
        catalog.as("olga").post(path(name) + "/declare", "{}").ok();
        catalog.grant("rita", "owner", GovernedCatalog.table("shop", name));
        catalog.as("olga").post(path(name) + "/drop?purge=true", "{}").ok();
        catalog.as("olga").post(path(name) + "/declare", "{}").ok();
        assertThat(status("rita", path(name) + "/exists")).isEqualTo(403);
        catalog.as("olga").post(path(name) + "/drop", "{}").ok();
        catalog.as("olga").post(path(name) + "/purge", "{}").ok();
        catalog.as("olga").post(path(name) + "/declare", "{}").ok();
        assertThat(status("rita", path(name) + "/exists")).isEqualTo(403);
        assertThat(status("olga", path(name) + "/exists")).isEqualTo(200);
    }

    @Test
    void theOldNameIsFreeWhenTheRenameIsAnsweredAndNothingOfItIsOnTheNextTableOfTheName() {
        catalog.grant("nora", "writer", GovernedCatalog.namespace("shop"));
        for (int round = 0; round < 5; round++) {
            String name = fresh();
            String other = fresh();
            catalog.grant("stan", "owner", GovernedCatalog.table("shop", other));
            catalog.as("olga").post(path(name) + "/declare", "{}").ok();
            catalog.grant("rita", "reader", GovernedCatalog.table("shop", name));
            catalog.as("olga")
                    .post(path(name) + "/rename", "{\"new_table_name\":\"" + other + "\"}")
                    .ok();
            catalog.as("nora").post(path(name) + "/declare", "{}").ok();
            assertThat(status("rita", path(name) + "/exists")).isEqualTo(403);
            assertThat(status("rita", path(other) + "/exists")).isEqualTo(200);
            assertThat(status("stan", path(other) + "/exists")).isEqualTo(403);
            catalog.as("nora")
                    .post(path(name) + "/protection", "{\"protected\":true}")
                    .ok();
        }
        assertThat(catalog.server().bean(JobRegistry.class).open()).isEmpty();
        catalog.revoke("nora", "writer", GovernedCatalog.namespace("shop"));
    }

    @Test
    void aProjectThatIsMadeAnewHasNoAdministratorOfTheOldOne() {
        String make = "{\"id\":\"reborn\"}";
        String warehouse = "{\"id\":\"of-mallory\",\"project\":\"reborn\"}";
        RunningServer admin = catalog.as(GovernedCatalog.ADMIN);
        admin.post("/v1/projects", make).ok();
        assertThat(admin.delete("/v1/projects/reborn").status()).isEqualTo(200);
        // What a grant that was under way during the deletion has left.
        catalog.grant("mallory", "admin", AccessObject.project("reborn"));
        admin.post("/v1/projects", make).ok();
        refused(catalog.as("mallory").post("/v1/warehouses", warehouse), 403, 15);
    }

    /** What is in the record when it could not be noted that the engine was told. */
    private static void forgetOwner(String folder, String id) {
        catalog.server().bean(Records.class).mutate(RecordKey.of(folder, id), content -> {
            content.remove("owned");
            return content;
        });
    }

    @Test
    void aProjectTellsItsAdministratorsToWhoIsInIt() {
        catalog.as(GovernedCatalog.ADMIN)
                .post("/v1/projects", "{\"id\":\"told\"}")
                .ok();
        catalog.grant("petra", "admin", AccessObject.project("told"));
        catalog.grant("mia", "member", AccessObject.project("told"));
        assertThat(admins("petra")).isEqualTo("[\"user:petra\",\"user:root-admin\"]");
        assertThat(admins("mia")).isEqualTo(admins("petra"));
        catalog.revoke(GovernedCatalog.ADMIN, "admin", AccessObject.project("told"));
        // Who administers the installation sees the project, and is not in it.
        assertThat(admins(GovernedCatalog.ADMIN)).isEqualTo("[]");
        assertThat(catalog.as("mia").get("/v1/projects/none").status()).isEqualTo(403);
    }

    private static String admins(String user) {
        return catalog.as(user)
                .get("/v1/projects/told")
                .ok()
                .json()
                .path("admins")
                .toString();
    }

    @Test
    void aRepeatedCreationTakesNothingFromThoseWhoWereGivenSomethingMeanwhile() {
        RunningServer admin = catalog.as(GovernedCatalog.ADMIN);
        String make = "{\"id\":\"twice\"}";
        admin.post("/v1/projects", make).ok();
        forgetOwner("_projects", "twice");
        catalog.grant("petra", "admin", AccessObject.project("twice"));
        catalog.grant("mia", "member", AccessObject.project("twice"));
        admin.post("/v1/projects", make).ok();
        String warehouse = "{\"id\":\"twice-lake\",\"project\":\"twice\"}";
        catalog.as("petra").post("/v1/warehouses", warehouse).ok();
        assertThat(catalog.as("mia").get("/v1/projects/twice").status()).isEqualTo(200);
        forgetOwner("_warehouses", "twice-lake");
        catalog.grant("rita", "reader", AccessObject.warehouse("twice-lake"));
        catalog.as("petra").post("/v1/warehouses", warehouse).ok();
        assertThat(catalog.as("rita").get("/v1/warehouses/twice-lake").status()).isEqualTo(200);
    }

    @Test
    void aRepeatedCreationGivesTheMakerNothingThatAnotherAdministratorTookFromHim() {
        RunningServer admin = catalog.as(GovernedCatalog.ADMIN);
        String make = "{\"id\":\"handed-on\"}";
        admin.post("/v1/projects", make).ok();
        forgetOwner("_projects", "handed-on");
        catalog.grant("petra", "admin", AccessObject.project("handed-on"));
        catalog.revoke(GovernedCatalog.ADMIN, "admin", AccessObject.project("handed-on"));
        admin.post("/v1/projects", make).ok();
        refused(admin.post("/v1/warehouses", "{\"id\":\"mine-again\",\"project\":\"handed-on\"}"), 403, 15);
    }

    @Test
    void whoSeesOnlyTheWayToATableLearnsNothingOfTheJobsOfItsWarehouse() {
        String name = fresh();
        catalog.as("olga").post(path(name) + "/declare", "{}").ok();
        catalog.grant("nina", "reader", GovernedCatalog.table("shop", name));
        String job = catalog.as("olga")
                .post("/v1/warehouses/lake/orphans/scan", "{}")
                .json()
                .path("job_id")
                .asString();
        assertThat(job).isNotEmpty();
        String body = "{\"job_id\":\"" + job + "\"}";
        refused(catalog.as("nina").post("/v1/jobs/describe", body), 403, 15);
        catalog.as("olga").post("/v1/jobs/describe", body).ok();
    }

    @Test
    void whatIsThereIsNotToldToAStrangerWhoWouldMakeIt() {
        try (GovernedCatalog single =
                new GovernedCatalog(OpenFga.shared(), Map.of("lance.warehouses-enabled", "false"))) {
            single.as("wanda")
                    .post("/v1/namespace/top/create", "{\"properties\":{\"plan\":\"secret\"}}")
                    .ok();
            refused(single.as("stranger").post("/v1/namespace/top/create", "{\"mode\":\"exist_ok\"}"), 403, 15);
            single.as("wanda")
                    .post("/v1/namespace/top/create", "{\"mode\":\"exist_ok\"}")
                    .ok();
        }
    }

    @Test
    void aRequestIsOneQuestionToTheEngineHoweverManyObjectsItNames() {
        List<String> names = IntStream.range(0, 8).mapToObj(at -> fresh()).toList();
        String declare = names.stream()
                .map(name -> "{\"declare_table\":{\"id\":[\"shop\",\"" + name + "\"]}}")
                .collect(Collectors.joining(",", "{\"operations\":[", "]}"));
        catalog.as("olga").post("/v1/table/batch-commit", declare).ok();
        String deregister = names.stream()
                .map(name -> "{\"deregister_table\":{\"id\":[\"shop\",\"" + name + "\"]}}")
                .collect(Collectors.joining(",", "{\"operations\":[", "]}"));
        asksOnce(() -> refused(catalog.as("stranger").post("/v1/table/batch-commit", deregister), 403, 15));
        asksOnce(() -> catalog.as("olga")
                .post(path(names.getFirst()) + "/exists", "{}")
                .ok());
        asksOnce(() -> refused(catalog.as("stranger").post(path("none") + "/describe", "{}"), 403, 15));
        asksOnce(() -> refused(catalog.as("olga").post(path("none") + "/describe", "{}"), 404, 4));
        asksOnce(() -> refused(
                catalog.as("stranger").post(path(names.getFirst()) + "/rename", "{\"new_table_name\":\"other\"}"),
                403,
                15));
    }

    private static void asksOnce(Runnable request) {
        proxy.reset();
        request.run();
        assertThat(proxy.paths()).hasSize(1).first().asString().endsWith("/batch-check");
    }

    @Test
    void aLockedRootLetsOnlyItsWritersMakeWhatStandsAtTheTop() {
        try (GovernedCatalog single = new GovernedCatalog(
                OpenFga.shared(), Map.of("lance.warehouses-enabled", "false", "lance.fga.lock-root-create", "true"))) {
            String create = "/v1/namespace/top/create";
            refused(single.as("wanda").post(create, "{}"), 403, 15);
            single.grant("wanda", "writer", AccessObject.warehouse("lance_catalog"));
            single.as("wanda").post(create, "{}").ok();
            refused(single.as("stranger").post("/v1/namespace/other/create", "{}"), 403, 15);
        }
    }

    private static List<Tuple> facts(AccessObject object) {
        return catalog.engine().of(ObjectNames.of(object));
    }

    /** A table that olga made and that somebody of its own may read. */
    private static AccessObject readTable(String reader, String... segments) {
        catalog.as("olga")
                .post("/v1/table/" + RunningServer.id(segments) + "/declare", "{}")
                .ok();
        AccessObject table = GovernedCatalog.table(segments);
        catalog.grant(reader, "reader", table);
        assertThat(facts(table)).hasSizeGreaterThan(2);
        return table;
    }

    /** A namespace that olga made and that somebody of its own may read. */
    private static AccessObject readNamespace(String reader, String... segments) {
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id(segments) + "/create", "{}")
                .ok();
        AccessObject namespace = GovernedCatalog.namespace(segments);
        catalog.grant(reader, "reader", namespace);
        assertThat(facts(namespace)).hasSizeGreaterThan(2);
        return namespace;
    }

    /** Neither on what went, nor anywhere on the way to it; the reader has nothing else. */
    private static void nothingIsLeftTo(String reader, AccessObject... gone) {
        for (AccessObject object : gone) {
            assertThat(facts(object)).as(ObjectNames.of(object)).isEmpty();
        }
        for (String kind : List.of("table:", "materialized_view:", "namespace:", "warehouse:")) {
            assertThat(catalog.engine().all(ObjectNames.user(reader), null, kind))
                    .as(reader)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/drop?purge=true", "/drop /purge", "/deregister"})
    void whateverEndsATableForGoodTakesAllThatWasGivenOnIt(String doors) {
        String name = fresh();
        String reader = "reader-of-" + name;
        AccessObject table = readTable(reader, "shop", name);
        for (String door : doors.split(" ")) {
            catalog.as("olga").post(path(name) + door, "{}").ok();
        }
        nothingIsLeftTo(reader, table);
    }

    @Test
    void aBatchThatDeregistersTakesAllThatWasGivenOnItsTables() {
        String one = fresh();
        String two = fresh();
        String reader = "reader-of-" + one;
        AccessObject first = readTable(reader, "shop", one);
        AccessObject second = readTable(reader, "shop", two);
        String both = Stream.of(one, two)
                .map(name -> "{\"deregister_table\":{\"id\":[\"shop\",\"" + name + "\"]}}")
                .collect(Collectors.joining(",", "{\"operations\":[", "]}"));
        catalog.as("olga").post("/v1/table/batch-commit", both).ok();
        nothingIsLeftTo(reader, first, second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?purge=true", ""})
    void aCascadeForGoodTakesAllThatWasGivenBelow(String purge) {
        String outer = fresh();
        String reader = "reader-of-" + outer;
        AccessObject[] gone = {
            readNamespace(reader, "shop", outer),
            readTable(reader, "shop", outer, "t"),
            readNamespace(reader, "shop", outer, "inner"),
            readTable(reader, "shop", outer, "inner", "t")
        };
        String space = "/v1/namespace/" + RunningServer.id("shop", outer);
        catalog.as("olga")
                .post(space + "/drop" + purge, "{\"behavior\":\"Cascade\"}")
                .ok();
        if (purge.isEmpty()) {
            catalog.as("olga").post(space + "/purge", "{}").ok();
        }
        nothingIsLeftTo(reader, gone);
    }

    @Test
    void anEmptyNamespaceThatIsDroppedTakesAllThatWasGivenOnIt() {
        String outer = fresh();
        AccessObject namespace = readNamespace("reader-of-" + outer, "shop", outer);
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", outer) + "/drop", "{}")
                .ok();
        nothingIsLeftTo("reader-of-" + outer, namespace);
    }

    @Test
    void whatComesBackFromTheTrashHasExactlyTheRightsOfBefore() {
        String outer = fresh();
        String reader = "reader-of-" + outer;
        List<AccessObject> objects = List.of(
                readNamespace(reader, "shop", outer),
                readTable(reader, "shop", outer, "t"),
                readNamespace(reader, "shop", outer, "inner"),
                readTable(reader, "shop", outer, "inner", "t"));
        Supplier<List<Set<Tuple>>> all =
                () -> objects.stream().map(object -> Set.copyOf(facts(object))).toList();
        List<Set<Tuple>> before = all.get();
        String table = "/v1/table/" + RunningServer.id("shop", outer, "t");
        catalog.as("olga").post(table + "/drop", "{}").ok();
        assertThat(all.get()).isEqualTo(before);
        refused(catalog.as("stranger").post(table + "/undrop", "{}"), 403, 15);
        catalog.as("olga").post(table + "/undrop", "{}").ok();
        assertThat(all.get()).isEqualTo(before);
        String space = "/v1/namespace/" + RunningServer.id("shop", outer);
        catalog.as("olga").post(space + "/drop", "{\"behavior\":\"Cascade\"}").ok();
        assertThat(all.get()).isEqualTo(before);
        refused(catalog.as(reader).post(space + "/undrop", "{}"), 403, 15);
        catalog.as("olga").post(space + "/undrop", "{}").ok();
        assertThat(all.get()).isEqualTo(before);
        assertThat(status(reader, table + "/exists")).isEqualTo(200);
    }

    @Test
    void aViewThatIsDroppedForGoodTakesAllThatWasGivenOnIt() {
        String name = fresh();
        String reader = "reader-of-" + name;
        ViewedTables tables = new ViewedTables(catalog.as("olga"), "shop");
        tables.orders("orders_of_views", 1L, "tea", 2.5);
        tables.begin(name, "SELECT id FROM orders_of_views");
        AccessObject table = GovernedCatalog.table("shop", name);
        AccessObject view = AccessObject.view(ObjectId.of("shop", name));
        String address = tables.view(name);
        Duration patience = Duration.ofMinutes(2);
        await().atMost(patience)
                .until(() -> status("olga", address + "/describe") == 200
                        && !facts(view).isEmpty());
        catalog.grant(reader, "reader", table);
        catalog.grant(reader, "refresher", view);
        ViewedTables.job(catalog.as("olga").post(address + "/drop?purge=true"));
        // The way to it is taken back after the rights on it.
        await().atMost(patience).untilAsserted(() -> nothingIsLeftTo(reader, table, view));
        await().atMost(patience).until(() -> status("olga", address + "/describe") == 404);
    }

    @Test
    void anUnboundNamespaceADeletedWarehouseAndADeletedProjectTakeAllThatWasGivenOnThem() {
        RunningServer admin = catalog.as(GovernedCatalog.ADMIN);
        admin.post("/v1/projects", "{\"id\":\"ending\"}").ok();
        catalog.grant("olga", "admin", AccessObject.project("ending"));
        RunningServer olga = catalog.as("olga");
        olga.post("/v1/warehouses", "{\"id\":\"ending-lake\",\"project\":\"ending\"}")
                .ok();
        for (String name : List.of("unbound", "deleted")) {
            olga.post("/v1/warehouses/ending-lake/namespaces", "{\"namespace\":\"" + name + "\"}")
                    .ok();
            catalog.grant("elias", "reader", GovernedCatalog.namespace(name));
            readNamespace("elias", name, "inner");
        }
        catalog.grant("elias", "reader", AccessObject.warehouse("ending-lake"));
        AccessObject trashed = readTable("elias", "deleted", "trashed");
        olga.post("/v1/table/" + RunningServer.id("deleted", "trashed") + "/drop", "{}")
                .ok();

        olga.delete("/v1/warehouses/ending-lake/namespaces/unbound").ok();
        assertThat(facts(GovernedCatalog.namespace("unbound"))).isEmpty();
        assertThat(facts(GovernedCatalog.namespace("unbound", "inner"))).isEmpty();
        assertThat(facts(GovernedCatalog.namespace("deleted"))).isNotEmpty();

        olga.delete("/v1/warehouses/ending-lake?cascade=true").ok();
        nothingIsLeftTo(
                "elias",
                trashed,
                GovernedCatalog.namespace("deleted"),
                GovernedCatalog.namespace("deleted", "inner"),
                AccessObject.warehouse("ending-lake"));

        olga.delete("/v1/projects/ending").ok();
        assertThat(facts(AccessObject.project("ending"))).isEmpty();
    }
}
