package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.FaultRule.S3Request;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Server;
import io.rask.catalog.testing.Workers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Workers that are killed at each write of a creation or a refresh, which the store carries out all the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ViewCrashTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TEAS = "SELECT id FROM orders WHERE item = 'tea'";

    private S3Server store;
    private RunningServer server;
    private ViewedTables tables;

    @BeforeAll
    void start() {
        store = S3Server.inMemory().withBucket("lance-catalog");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.put("lance.jobs.poll", "200ms");
        settings.put("lance.jobs.lease", "10s");
        // A worker that is killed at the end of a refresh holds it up for as long, and for as much as clocks may
        // differ.
        settings.put("lance.jobs.view-lease", "3s");
        // Longer than the write is on its way.
        settings.put("lance.jobs.backoff", "1500ms");
        server = RunningServer.with(settings);
        server.makeNamespace("acme", "lake-one", "sales");
        tables = new ViewedTables(server, "sales");
    }

    @AfterEach
    void heal() {
        store.heal();
    }

    @AfterAll
    void stop() {
        server.close();
        store.close();
    }

    private static boolean isWriteOf(S3Request request, String view) {
        return request.isWrite() && request.path().contains(view);
    }

    private interface Job {
        /** What comes before, undisturbed. */
        default void prepare(String view) {}

        /** Begins the job, and gives its id. */
        String begin(String view);
    }

    /** Kills the worker at each write of the table of a view, one after the other. */
    private void everyWrite(String kind, Job job, Consumer<String> check) {
        for (int step = 1; ; step++) {
            String view = kind + "-" + step + "x";
            int last = step;
            job.prepare(view);
            AtomicInteger seen = new AtomicInteger();
            FaultRule rule = store.next(
                    1,
                    request -> isWriteOf(request, view) && seen.incrementAndGet() == last,
                    new Fault.Delay(Duration.ofSeconds(1)));
            String begun = job.begin(view);
            await().atMost(PATIENCE).until(() -> rule.hits() == 1 || isOver(begun));
            if (rule.hits() == 0) {
                System.out.printf("ViewCrashTest %s: killed at each of %d writes%n", kind, step - 1);
                assertThat(step).isGreaterThan(2);
                return;
            }
            Workers.kill();
            JsonNode ended = tables.ended(begun);
            assertThat(ended.path("job_state").asString()).as(ended.toString()).isEqualTo("DONE");
            check.accept(view);
            assertThat(tables.described(view).path("freshness").asString())
                    .as("write " + step + ": " + ended)
                    .isEqualTo("fresh");
            store.heal();
        }
    }

    private boolean isOver(String job) {
        return server.post("/v1/jobs/describe", "{\"job_id\":\"" + job + "\"}")
                .ok()
                .json()
                .path("finished_ms")
                .isNumber();
    }

    @Test
    void aViewWhoseWorkerDiesIsMadeOnce() {
        tables.orders("orders", 1, "tea", 3.5, 2, "jam", 2.0, 3, "tea", 5.0);
        everyWrite("made", view -> tables.begin(view, TEAS), view -> {
            assertThat(tables.values(view, "id")).containsExactly(1L, 3L);
            assertThat(server.get("/v1/namespace/sales/materialized_view/list")
                            .ok()
                            .text())
                    .contains("\"" + view + "\"");
        });
        server.post(tables.table("orders") + "/drop").ok();
    }

    @Test
    void aRefreshWhoseWorkerDiesAddsItsRowsOnce() {
        tables.orders("orders", 1, "tea", 3.5, 2, "jam", 2.0, 3, "tea", 5.0);
        Job refresh = new Job() {
            @Override
            public void prepare(String view) {
                tables.made(view, TEAS);
                tables.addOrders("orders", 9, "tea", 1.0);
            }

            @Override
            public String begin(String view) {
                return ViewedTables.job(server.post(tables.view(view) + "/refresh", "{}"));
            }
        };
        everyWrite(
                "added", refresh, view -> assertThat(tables.values(view, "id")).isEqualTo(teas()));
        server.post(tables.table("orders") + "/drop").ok();
    }

    @Test
    void aViewThatWasWrittenAndCannotBeReadYetStaysForTheNextAttempt() {
        tables.orders("orders", 1, "tea", 3.5, 2, "jam", 2.0);
        AtomicBoolean written = new AtomicBoolean();
        FaultRule outage = store.always(
                request -> {
                    boolean its = (request.path() + request.query()).contains("staying");
                    boolean before = written.get();
                    if (its && request.isWrite() && request.path().contains("/_versions/")) {
                        written.set(true);
                    }
                    return its && before && !request.isWrite();
                },
                Fault.Status.slowDown());
        String job = tables.begin("staying", TEAS);
        await().atMost(PATIENCE)
                .until(() -> server.post("/v1/jobs/describe", "{\"job_id\":\"" + job + "\"}")
                        .ok()
                        .json()
                        .path("failure")
                        .isObject());
        outage.close();
        JsonNode ended = tables.ended(job);
        assertThat(ended.path("job_state").asString()).as(ended.toString()).isEqualTo("DONE");
        assertThat(ended.path("attempts").asInt()).isGreaterThan(1);
        assertThat(ArrowStreams.readStream(server.post("/v1/jobs/query_events", "{\"job_id\":\"" + job + "\"}")
                        .ok()
                        .bytes()))
                .anySatisfy(event -> assertThat(String.valueOf(event.get("message")))
                        .contains("An earlier attempt has written the view"));
        assertThat(tables.values("staying", "id")).containsExactly(1L);
        server.post(tables.table("orders") + "/drop").ok();
    }

    private Object teas() {
        return tables.rows("orders").stream()
                .filter(row -> "tea".equals(row.get("item")))
                .map(row -> row.get("id"))
                .sorted()
                .toList();
    }
}
