package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
}
