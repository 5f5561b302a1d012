package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.lance.CatalogRoot;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.testing.DyingCatalog;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule.S3Request;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What others do through another server between two steps of a destructive request. */
class ComesBetweenTest {
    private static DyingCatalog catalog;
    private static RunningServer server;

    @BeforeAll
    static void start() {
        catalog = new DyingCatalog(Map.of("lance.trash-grace-days", "7", "lance.jobs.drop-grace", "1h"));
        server = catalog.server();
    }

    @AfterEach
    void heal() {
        catalog.heal();
    }

    @AfterAll
    static void stop() {
        catalog.close();
    }

    private static String table(String... names) {
        return "/v1/table/" + id(names);
    }

    private static String make(String name) {
        String table = table("sales", name);
        server.arrow(table + "/create", Rows.THREE).ok();
        return table;
    }

    private static boolean isWrite(S3Request asked, String folder) {
        return asked.isWrite() && asked.path().contains("/" + folder + "/");
    }

    /** Lets something happen just before the server that is asked makes the first request of a kind. */
    private static void before(Predicate<S3Request> request, Runnable happening) {
        AtomicBoolean happened = new AtomicBoolean();
        catalog.crash(
                asked -> {
                    if (request.test(asked) && happened.compareAndSet(false, true)) {
                        happening.run();
                    }
                    return false;
                },
                new Fault.DropReply());
    }

    private static void putTable(String lake, String namespace) {
        CatalogRoot root =
                server.bean(TopLevelNamespaces.class).home(lake).orElseThrow().root();
        server.bean(Manifests.class)
                .commit(
                        root,
                        view -> new ManifestChange.Plan(
                                List.of(
                                        ManifestEntry.namespace(namespace, null),
                                        ManifestEntry.table(namespace + "$late", "late", null)),
                                List.of(),
                                List.of()));
    }

    @Test
    void aDeletionOfAWarehouseThatMeetsATableOnItsWayIsGivenUpByAnActivation() {
        String lake = "lake-met";
        server.makeNamespace("acme", lake, "first-met");
        server.makeNamespace("acme", lake, "second-met");
        before(
                asked -> asked.isWrite() && asked.path().contains("_warehouses/bindings/"),
                () -> putTable(lake, "second-met"));
        Answer answer = refused(catalog.dying().delete("/v1/warehouses/" + lake + "?cascade=true"), 409, 3);
        assertThat(reason(answer))
                .contains("second-met$late")
                .contains("activate")
                .contains("first-met");
        assertThat(answer.json().at("/namespaces_dropped/0").asString()).isEqualTo("first-met");
        server.post("/v1/warehouses/" + lake + "/activate", "{}").ok();
        server.post(table("second-met", "late") + "/exists").ok();
        server.post(table("second-met", "late") + "/drop?purge=true").ok();
        server.delete("/v1/warehouses/" + lake + "?cascade=true").ok();
    }

    @Test
    void aDeletionOfAWarehouseThatMeetsATableAfterItsRightsEndsWithoutItsBytes() {
        String lake = "lake-late";
        server.makeNamespace("acme", lake, "in-late");
        AtomicInteger writes = new AtomicInteger();
        before(
                // The mark that shuts it, and the one from which nothing leads back.
                asked -> asked.isWrite()
                        && asked.path().endsWith("_warehouses/" + lake + ".json")
                        && writes.incrementAndGet() == 2,
                () -> putTable(lake, "of-nobody"));
        Answer answer =
                refused(catalog.dying().delete("/v1/warehouses/" + lake + "?cascade=true&purge_bucket=true"), 409, 3);
        assertThat(reason(answer)).contains("of-nobody$late").contains("without purge_bucket");
        refused(server.post("/v1/warehouses/" + lake + "/activate", "{}"), 409, 14);
        server.delete("/v1/warehouses/" + lake + "?cascade=true").ok();
        refused(server.get("/v1/warehouses/" + lake), 404, 4);
    }

    private static void protect(String table) {
        server.post(table + "/protection", "{\"protected\":true}").ok();
    }

    @Test
    void aProtectionThatComesAfterTheLookAndBeforeTheCommitIsSeenByIt() {
        String kept = make("kept");
        before(asked -> isWrite(asked, "_trash"), () -> protect(kept));
        refused(catalog.dying().post(kept + "/drop"), 409, 19);
        catalog.heal();
        String purged = make("purged");
        before(asked -> isWrite(asked, "_jobs/open"), () -> protect(purged));
        refused(catalog.dying().post(purged + "/drop?purge=true"), 409, 19);
        assertThat(server.post(purged + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void aProtectionThatComesInTheMiddleOfTheCommitIsSeenByIt() {
        String kept = make("caught");
        before(asked -> isWrite(asked, "__manifest/data"), () -> protect(kept));
        refused(catalog.dying().post(kept + "/drop"), 409, 19);
        assertThat(server.post(kept + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void aProtectionThatComesBeforeTheCommitOfADeregistrationIsSeenByIt() {
        String alone = make("alone");
        before(asked -> isWrite(asked, "_kept"), () -> protect(alone));
        refused(catalog.dying().post(alone + "/deregister", "{}"), 409, 19);
        catalog.heal();
        String batched = make("batched");
        before(asked -> isWrite(asked, "_kept"), () -> protect(batched));
        refused(
                catalog.dying()
                        .post(
                                "/v1/table/batch-commit",
                                "{\"operations\":[{\"deregister_table\":{\"id\":[\"sales\",\"batched\"]}}]}"),
                409,
                19);
        server.post(batched + "/exists").ok();
    }

    @Test
    void whatTheNextOfANameHasIsNotForgottenWithTheOneBefore() {
        String table = make("again");
        server.post(table + "/protection", "{\"protected\":false}").ok();
        // The name is free by then, and taken at once by somebody else.
        before(asked -> isWrite(asked, "_protection"), () -> {
            make("again");
            protect(table);
        });
        catalog.dying().post(table + "/drop?purge=true").ok();
        refused(server.post(table + "/drop?purge=true"), 409, 19);
        server.post(table + "/drop?purge=true&force=true").ok();
    }

    @Test
    void theRecordOfTheNextOfANameInTheTrashStays() {
        String table = make("twice");
        server.post(table + "/drop").ok();
        before(asked -> isWrite(asked, "_trash"), () -> {
            make("twice");
            server.post(table + "/drop").ok();
        });
        catalog.dying().post(table + "/purge", "{}").ok();
        assertThat(server.get(table + "/tasks").ok().json().at("/0/dropped_at").asString(""))
                .isNotBlank();
    }

    @Test
    void aRenamingThatAnotherToTheSameNameWasFasterThanTakesNoProtectionFromIt() {
        String table = make("wanted");
        protect(table);
        String rename = "{\"new_table_name\":\"got\"}";
        before(
                asked -> isWrite(asked, "__manifest/data"),
                () -> server.post(table + "/rename", rename).ok());
        assertThat(catalog.dying().post(table + "/rename", rename).code()).isIn(4, 5);
        catalog.heal();
        refused(server.post(table("sales", "got") + "/drop"), 409, 19);
        server.post(table("sales", "got") + "/drop?force=true").ok();
    }

    @Test
    void aProtectionUnderTheOldNameIsThereAsSoonAsTheNewNameIs() {
        String table = make("before");
        String renamed = table("sales", "after");
        AtomicBoolean isProtected = new AtomicBoolean();
        AtomicBoolean died = catalog.crash(
                asked -> {
                    if (isWrite(asked, "__manifest/data") && isProtected.compareAndSet(false, true)) {
                        protect(table);
                    }
                    return isWrite(asked, "_protection")
                            && server.post(renamed + "/exists").status() == 200;
                },
                new Fault.DropReply());
        catalog.dying().post(table + "/rename", "{\"new_table_name\":\"after\"}");
        assertThat(died).isTrue();
        catalog.heal();
        refused(server.post(renamed + "/drop"), 409, 19);
    }

    @Test
    void aDropAsksForTheProtectionOnceAndNotWithinItsCommit() {
        String table = make("counted");
        AtomicInteger looks = new AtomicInteger();
        before(
                asked -> !asked.isWrite() && asked.path().contains("/_protection/") && looks.incrementAndGet() < 0,
                () -> {});
        catalog.dying().post(table + "/drop").ok();
        assertThat(looks).hasValue(1);
    }
}
