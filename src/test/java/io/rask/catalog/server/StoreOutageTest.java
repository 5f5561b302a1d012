package io.rask.catalog.server;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.S3Server;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A catalog whose object store goes away and comes back. */
class StoreOutageTest {
    private static final String TABLE = "/v1/table/" + id("sales", "orders");
    private static final List<String> READS =
            List.of("/v1/projects", "/v1/warehouses", "/v1/namespace/$/list", "/v1/namespace/sales/table/list");
    /** A request that meets a dead store is answered long before a client gives up. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private S3Server store;

    @BeforeEach
    void open() {
        store = S3Server.inMemory().withBucket("lance-catalog");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private RunningServer server() {
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.put("lance.limits.store-timeout", "2s");
        return RunningServer.with(settings);
    }

    @Test
    void aStoreThatIsDownAtStartIsUnavailableAndTheServerRecoversWithoutARestart() {
        store.stop();
        try (RunningServer server = server()) {
            assertThat(server.get("/livez").status()).isEqualTo(200);
            assertThat(server.get("/readyz").status()).isEqualTo(503);
            assertUnavailable(server.get("/v1/projects"));
            assertUnavailable(server.get("/v1/namespace/$/list"));
            assertUnavailable(server.post("/v1/projects", "{\"id\":\"acme\"}"));
            store.start();
            awaitReady(server);
            server.makeNamespace("acme", "lake-one", "sales");
            server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1, 2)).ok();
            assertThat(server.post(TABLE + "/count_rows").ok().text()).isEqualTo("2");
        }
    }

    @Test
    void aStoreThatGoesAwayIsUnavailableAndNeverEmptyAndComesBackWithEverything() {
        try (RunningServer server = server()) {
            awaitReady(server);
            server.makeNamespace("acme", "lake-one", "sales");
            server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1, 2)).ok();
            store.stop();
            READS.forEach(path -> assertUnavailable(server.get(path)));
            assertUnavailable(server.post(TABLE + "/describe"));
            assertUnavailable(server.post(TABLE + "/count_rows"));
            assertUnavailable(server.arrow(TABLE + "/insert", ArrowStreams.longs("id", 3)));
            assertUnavailable(server.post("/v1/table/" + id("sales", "more") + "/declare"));
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(server.get("/readyz").status()).isEqualTo(503));
            store.start();
            awaitReady(server);
            assertThat(server.get("/v1/namespace/sales/table/list").ok().text()).contains("orders");
            assertThat(server.post(TABLE + "/count_rows").ok().text()).isEqualTo("2");
            server.arrow(TABLE + "/insert", ArrowStreams.longs("id", 3)).ok();
            assertThat(server.post(TABLE + "/count_rows").ok().text()).isEqualTo("3");
        }
    }

    @Test
    void aStoreThatHangsIsCutOff() {
        try (RunningServer server = server()) {
            awaitReady(server);
            server.makeNamespace("acme", "lake-one", "sales");
            store.always(request -> true, new Fault.Delay(Duration.ofMinutes(1)));
            long begin = System.nanoTime();
            assertUnavailable(server.get("/v1/namespace/sales/table/list"));
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(PATIENCE);
            store.heal();
        }
    }

    @Test
    void aRequestOfBadShapeIsRefusedWithoutAskingTheStore() {
        store.stop();
        try (RunningServer server = server()) {
            assertThat(server.post("/v1/projects", "{\"id\":\"Bad\"}").code()).isEqualTo(13);
            assertThat(server.post("/v1/warehouses", "{\"id\":\"lake-one\"}").code())
                    .isEqualTo(13);
            assertThat(server.post("/v1/namespace/" + id("sales", "a*") + "/create", "{}")
                            .code())
                    .isEqualTo(13);
            assertThat(server.arrow(TABLE + "/create?mode=bogus", ArrowStreams.longs("id", 1))
                            .code())
                    .isEqualTo(13);
            assertThat(server.arrow("/v1/table/lonely/create", ArrowStreams.longs("id", 1))
                            .code())
                    .isEqualTo(13);
            assertUnavailable(server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1)));
        }
    }

    @Test
    void aStoreThatHangsForTheDataAloneIsCutOff() {
        try (RunningServer server = server()) {
            awaitReady(server);
            server.makeNamespace("acme", "lake-one", "sales");
            server.arrow(TABLE + "/create", ArrowStreams.longs("id", 1, 2)).ok();
            store.always(request -> request.path().contains("__manifest"), new Fault.Delay(Duration.ofMinutes(5)));
            assertCutOff(() -> server.post("/v1/table/" + id("sales", "more") + "/declare", "{}"));
            store.heal();
            store.always(request -> request.path().contains("/data/"), new Fault.Delay(Duration.ofMinutes(5)));
            assertCutOff(() -> server.post(TABLE + "/query", "{\"vector\":[],\"k\":10}"));
            store.heal();
            assertThat(server.post(TABLE + "/count_rows").ok().text()).isEqualTo("2");
        }
    }

    private static void assertCutOff(Supplier<Answer> request) {
        long begin = System.nanoTime();
        assertUnavailable(request.get());
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(PATIENCE);
    }

    private static void awaitReady(RunningServer server) {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(server.get("/readyz").status()).isEqualTo(200));
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo(17);
        assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.text()).doesNotContain("127.0.0.1").doesNotContain(".rs:");
    }
}
