package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What becomes of requests while the permission engine is slow, gone, or not the right one. */
class EngineOutageTest {
    private static OpenFga engine;
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        engine = OpenFga.start();
        catalog = new GovernedCatalog(engine, Map.of("lance.fga.timeout-seconds", "1", "lance.fga.cache-ttl", "60s"));
        catalog.makeNamespace("olga", "acme", "lake", "shop");
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
        if (engine != null) {
            engine.close();
        }
    }

    private static String table(String name) {
        return "/v1/table/" + RunningServer.id("shop", name);
    }

    @Test
    void anEngineThatHangsIsCutOffAndNothingIsAllowed() {
        engine.freeze();
        try {
            long begin = System.nanoTime();
            Answer answer = catalog.as("nobody-yet").post(table("any") + "/describe", "{}");
            assertThat(answer.code()).isEqualTo(17);
            assertThat(answer.header("Retry-After")).isNotEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        } finally {
            engine.thaw();
        }
        GovernedCatalog.awaitReady(catalog.server());
        assertThat(catalog.as("nobody-yet")
                        .post(table("any") + "/describe", "{}")
                        .code())
                .isEqualTo(15);
    }

    @Test
    void whatGetsNoOwnerIsUnmadeAndTheReasonIsTold() {
        RunningServer olga = catalog.as("olga");
        // The right to make tables is remembered from here on.
        olga.post(table("before") + "/declare", "{}").ok();
        engine.freeze();
        try {
            assertThat(olga.post(table("declared") + "/declare", "{}").code()).isEqualTo(17);
            assertThat(olga.arrow(table("created") + "/create", ArrowStreams.longs("id", 1))
                            .code())
                    .isEqualTo(17);
        } finally {
            engine.thaw();
        }
        GovernedCatalog.awaitReady(catalog.server());
        for (String name : new String[] {"declared", "created"}) {
            assertThat(olga.post(table(name) + "/describe", "{}").code())
                    .as(name)
                    .isEqualTo(4);
            assertThat(catalog.engine().of(ObjectNames.of(GovernedCatalog.table("shop", name))))
                    .isEmpty();
        }
        assertThat(olga.post(table("declared") + "/declare", "{}").status()).isEqualTo(200);
    }

    /** What happened is told before its rights are taken back, and whether they can be or not. */
    @Test
    void whatWasDroppedIsToldAlthoughItsRightsCannotBeTakenBack() {
        RunningServer olga = catalog.as("olga");
        olga.post(table("leaving") + "/declare", "{}").ok();
        // The right to drop it is remembered from here on.
        olga.post(table("leaving") + "/drop?dry_run=true", "{}").ok();
        engine.freeze();
        try {
            olga.post(table("leaving") + "/drop", "{}");
        } finally {
            engine.thaw();
        }
        GovernedCatalog.awaitReady(catalog.server());
        assertThat(catalog.as(GovernedCatalog.ADMIN)
                        .get("/v1/events?limit=1000")
                        .ok()
                        .json()
                        .path("events"))
                .anySatisfy(event -> {
                    assertThat(event.path("type").asString()).isEqualTo("io.rask.catalog.table.dropped");
                    assertThat(event.at("/data/object").asString()).isEqualTo("shop$leaving");
                });
    }

    @Test
    void whatWasThereBeforeSurvivesAFailedSeed() {
        RunningServer olga = catalog.as("olga");
        olga.arrow(table("kept") + "/create", ArrowStreams.longs("id", 1, 2)).ok();
        engine.freeze();
        try {
            Answer again = olga.arrow(table("kept") + "/create?mode=exist_ok", ArrowStreams.longs("id", 3));
            assertThat(again.status()).isEqualTo(200);
        } finally {
            engine.thaw();
        }
        GovernedCatalog.awaitReady(catalog.server());
        assertThat(olga.post(table("kept") + "/count_rows", "{}").text()).isEqualTo("2");
    }

    @Test
    void aServerThatStartsBeforeItsEngineRefusesAndRecovers() {
        OpenFga late = OpenFga.start();
        late.stop();
        Map<String, String> settings = new HashMap<>(late.settings());
        settings.put("lance.fga.timeout-seconds", "1");
        try (late;
                RunningServer server = catalog.start(settings)) {
            assertThat(server.get("/readyz").status()).isEqualTo(503);
            assertThat(server.get("/livez").status()).isEqualTo(200);
            RunningServer olga = server.asking(HeaderIdentification.USER, "olga");
            assertThat(olga.post("/v1/projects", "{\"id\":\"early\"}").code()).isEqualTo(17);
            late.restart();
            GovernedCatalog.awaitReady(server);
            assertThat(olga.post("/v1/projects", "{\"id\":\"early\"}").code()).isEqualTo(15);
        }
    }

    @Test
    void aStoreThatIsNotThereAllowsNothing() {
        Map<String, String> settings = new HashMap<>(engine.settings());
        settings.put("lance.fga.store-id", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
        settings.put("lance.fga.timeout-seconds", "1");
        try (RunningServer server = catalog.start(settings)) {
            RunningServer olga = server.asking(HeaderIdentification.USER, "olga");
            assertThat(olga.post(table("before") + "/describe", "{}").code()).isEqualTo(17);
            assertThat(server.get("/readyz").status()).isEqualTo(503);
        }
    }

    @Test
    void anotherReplicaUsesTheSameStoreAndTheSameModel() {
        catalog.grant("twin", "reader", namespace("shop"));
        Map<String, String> settings = new HashMap<>(engine.settings());
        settings.put("lance.fga.store-name", catalog.storeName());
        try (RunningServer other = catalog.start(settings)) {
            GovernedCatalog.awaitReady(other);
            assertThat(other.bean(PermissionEngine.class).selected())
                    .isEqualTo(catalog.engine().selected());
            RunningServer twin = other.asking(HeaderIdentification.USER, "twin");
            assertThat(twin.post("/v1/namespace/shop/describe", "{}").status()).isEqualTo(200);
            // The first administrator was made once: one who was removed does not come back.
            catalog.revoke(GovernedCatalog.ADMIN, "admin", AccessObject.ESTATE);
        }
        settings.put("lance.bootstrap.administrator", GovernedCatalog.ADMIN);
        try (RunningServer third = catalog.start(settings)) {
            GovernedCatalog.awaitReady(third);
            assertThat(third.asking(HeaderIdentification.USER, GovernedCatalog.ADMIN)
                            .post("/v1/projects", "{\"id\":\"late\"}")
                            .code())
                    .isEqualTo(15);
        }
    }
}
