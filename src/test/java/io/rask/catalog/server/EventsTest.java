package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Catalog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What happened is told after the fact: in a log on the store of the records, the same on every server, whose outage fails nothing. */
class EventsTest {
    @RegisterExtension
    static final S3Catalog CATALOG = S3Catalog.plain();

    private static RunningServer second;

    @BeforeAll
    static void start() {
        second = RunningServer.with(settings(Map.of("lance.trash-grace-days", "7")));
    }

    @AfterAll
    static void stop() {
        second.close();
    }

    private static Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(CATALOG.store().settings());
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.putAll(more);
        return settings;
    }

    private static RunningServer server() {
        return CATALOG.server();
    }

    /** The cursor behind everything that is told so far. */
    private static String now() {
        String cursor = "";
        JsonNode page;
        do {
            page = server().get("/v1/events?limit=1000&since=" + cursor).ok().json();
            cursor = page.path("cursor").asString();
        } while (!page.path("events").isEmpty());
        return cursor;
    }

    private static List<JsonNode> since(RunningServer server, String cursor) {
        List<JsonNode> events = new ArrayList<>();
        server.get("/v1/events?since=" + cursor).ok().json().path("events").forEach(events::add);
        return events;
    }

    private static List<String> told(RunningServer server, String cursor) {
        return since(server, cursor).stream()
                .map(event -> event.path("type").asString().replace("io.rask.catalog.", "") + " "
                        + event.at("/data/object").asString())
                .toList();
    }

    @Test
    void whatARequestDidIsInTheLogWhenItIsAnswered() {
        String before = now();
        server().makeNamespace("told", "lake-told", "told");
        server().post("/v1/namespace/" + id("told", "inner") + "/create", "{}").ok();
        String table = "/v1/table/" + id("told", "inner", "t");
        server().arrow(table + "/create", Rows.THREE).ok();
        second.post("/v1/table/" + id("told", "d") + "/declare", "{}").ok();
        server().post(table + "/rename", "{\"new_table_name\":\"u\"}").ok();
        second.post("/v1/table/" + id("told", "inner", "u") + "/drop").ok();
        server().post("/v1/table/" + id("told", "d") + "/deregister").ok();
        server().post("/v1/warehouses/lake-told/deactivate").ok();
        List<String> wanted = List.of(
                "project.created told",
                "warehouse.created lake-told",
                "namespace.created told",
                "namespace.created told$inner",
                "table.created told$inner$t",
                "table.created told$d",
                "table.renamed told$inner$t",
                "table.dropped told$inner$u",
                "table.deregistered told$d",
                "warehouse.updated lake-told");
        assertThat(told(server(), before)).isEqualTo(wanted);
        assertThat(told(second, before)).isEqualTo(wanted);
    }

    @Test
    void anEventIsACloudEventThatSaysWhoAndByWhichRequest() {
        server().makeNamespace("form", "lake-form", "form");
        String before = now();
        server().asking("X-Request-ID", "the-request")
                .post("/v1/table/" + id("form", "t") + "/declare", "{}")
                .ok();
        JsonNode event = since(second, before).getFirst();
        assertThat(event.path("specversion").asString()).isEqualTo("1.0");
        assertThat(event.path("id").asString()).isNotBlank();
        assertThat(event.path("source").asString()).isEqualTo("/rask-lance-catalog");
        assertThat(event.path("subject").asString()).isEqualTo("table/form$t");
        assertThat(Instant.parse(event.path("time").asString())).isBeforeOrEqualTo(Instant.now());
        assertThat(event.at("/data/by").asString()).isEqualTo("anonymous");
        assertThat(event.at("/data/request_id").asString()).isEqualTo("the-request");
    }

    @Test
    void whatWasRefusedOrOnlyReadIsNotTold() {
        server().makeNamespace("quiet", "lake-quiet", "quiet");
        String before = now();
        String table = "/v1/table/" + id("quiet", "t");
        refused(server().post(table + "/describe"), 404, 4);
        refused(server().post(table + "/drop"), 404, 4);
        server().post("/v1/namespace/quiet/describe").ok();
        assertThat(told(server(), before)).isEmpty();
    }

    @Test
    void aCascadeTellsOfEachThatWent() {
        server().makeNamespace("cascade", "lake-cascade", "cascade");
        server().post("/v1/namespace/" + id("cascade", "inner") + "/create", "{}")
                .ok();
        server().post("/v1/table/" + id("cascade", "a") + "/declare", "{}").ok();
        server().post("/v1/table/" + id("cascade", "inner", "b") + "/declare", "{}")
                .ok();
        String before = now();
        server().post("/v1/namespace/cascade/drop", "{\"behavior\":\"cascade\"}")
                .ok();
        assertThat(told(server(), before))
                .containsExactlyInAnyOrder(
                        "namespace.dropped cascade",
                        "namespace.dropped cascade$inner",
                        "table.dropped cascade$a",
                        "table.dropped cascade$inner$b");
    }

    @Test
    void whatCanComeBackIsToldSoAndSoIsItsReturnAndItsEnd() {
        server().makeNamespace("trash", "lake-trash", "trash");
        String table = "/v1/table/" + id("trash", "t");
        second.post(table + "/declare", "{}").ok();
        String before = now();
        second.post(table + "/drop").ok();
        second.post(table + "/undrop", "{}").ok();
        second.post(table + "/drop").ok();
        second.post(table + "/purge", "{}").ok();
        assertThat(told(server(), before))
                .containsExactly(
                        "table.dropped trash$t",
                        "table.undropped trash$t",
                        "table.dropped trash$t",
                        "table.purged trash$t");
        assertThat(since(server(), before).getFirst().at("/data/recoverable").asString())
                .isEqualTo("true");
    }

    @Test
    void whatChangedNothingIsNotTold() {
        server().makeNamespace("same", "lake-same", "same");
        String table = "/v1/table/" + id("same", "t");
        server().arrow(table + "/create", Rows.THREE).ok();
        String before = now();
        server().makeNamespace("same", "lake-same", "same");
        server().arrow(table + "/create?mode=exist_ok", Rows.THREE).ok();
        server().post("/v1/namespace/same/create", "{\"mode\":\"exist_ok\"}");
        assertThat(told(server(), before)).isEmpty();
        server().arrow(table + "/create?mode=overwrite", Rows.THREE).ok();
        assertThat(told(server(), before)).containsExactly("table.updated same$t");
    }

    @Test
    void aViewIsToldAsOneForWhoeverAskedForItAndByTheWorkerThatMadeIt() {
        server().makeNamespace("worked", "lake-worked", "worked");
        server().arrow("/v1/table/" + id("worked", "t") + "/create", Rows.THREE).ok();
        String before = now();
        server().post("/v1/materialized_view/" + id("worked", "v") + "/create", "{\"query\":\"SELECT id FROM t\"}");
        await().atMost(Duration.ofSeconds(90))
                .until(() -> told(server(), before).contains("materialized_view.created worked$v"));
        JsonNode data = since(server(), before).getFirst().path("data");
        assertThat(data.path("kind").asString()).isEqualTo("materialized_view");
        assertThat(data.path("by").asString()).isEqualTo("anonymous");
        assertThat(data.path("worker").asString()).startsWith("worker-");
        assertThat(server().post(
                                "/v1/jobs/describe",
                                "{\"job_id\":\"" + data.path("request_id").asString() + "\"}")
                        .ok()
                        .json()
                        .path("job_type")
                        .asString())
                .isEqualTo("create_materialized_view");
        server().post("/v1/table/" + id("worked", "v") + "/protection", "{\"protected\":true}")
                .ok();
        server().post("/v1/table/" + id("worked", "v") + "/protection", "{\"protected\":false}")
                .ok();
        server().post("/v1/table/" + id("worked", "v") + "/rename", "{\"new_table_name\":\"w\"}")
                .ok();
        server().post("/v1/materialized_view/" + id("worked", "w") + "/drop", "{}");
        await().atMost(Duration.ofSeconds(90))
                .until(() -> told(server(), before).contains("materialized_view.dropped worked$w"));
        assertThat(told(server(), before))
                .containsExactly(
                        "materialized_view.created worked$v",
                        "materialized_view.updated worked$v",
                        "materialized_view.updated worked$v",
                        "materialized_view.renamed worked$v",
                        "materialized_view.dropped worked$w");
    }

    @Test
    void anOutageOfTheLogFailsNothingAndIsMadeUpForInOrder() {
        server().makeNamespace("outage", "lake-outage", "outage");
        String before = now();
        CATALOG.store()
                .always(
                        request -> request.isWrite() && request.path().contains("_events/log"),
                        Fault.Status.slowDown());
        for (int i = 0; i < 3; i++) {
            server().post("/v1/table/" + id("outage", "t" + i) + "/declare", "{}")
                    .ok();
        }
        assertThat(server().get("/actuator/prometheus").text())
                .containsPattern("catalog_events_waiting(\\{[^}]*})? 3\\.0");
        CATALOG.store().heal();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> told(second, before)
                        .equals(List.of(
                                "table.created outage$t0", "table.created outage$t1", "table.created outage$t2")));
        assertThat(server().get("/actuator/prometheus").text())
                .containsPattern("catalog_events_lost_total(\\{[^}]*})? 0\\.0");
    }

    /** What telling costs is known: one look and one write, whoever waits for them. */
    @Test
    void telling1CreationCosts2RequestsToTheStore() {
        server().makeNamespace("cost", "lake-cost", "cost");
        server().post("/v1/table/" + id("cost", "warm") + "/declare", "{}").ok();
        try (FaultRule log = CATALOG.store().watch(request -> request.path().contains("_events"))) {
            server().post("/v1/table/" + id("cost", "t") + "/declare", "{}").ok();
            assertThat(log.hits()).isBetween(2, 3);
        }
        try (FaultRule log = CATALOG.store().watch(request -> request.path().contains("_events"))) {
            server().post("/v1/table/" + id("cost", "t") + "/describe", "{}").ok();
            assertThat(log.hits()).isZero();
        }
    }

    @Test
    void aLimitOrACursorThatIsNoneIsRefused() {
        refused(server().get("/v1/events?limit=0"), 400, 13);
        refused(server().get("/v1/events?since=yesterday"), 400, 13);
        assertThat(server().get("/v1/events?limit=1").ok().json().path("events").size())
                .isLessThanOrEqualTo(1);
    }

    @Test
    void nothingIsToldWhereThatIsSwitchedOff() {
        String before = now();
        try (RunningServer silent = RunningServer.with(settings(Map.of("lance.events.enabled", "false")))) {
            silent.post("/v1/projects", "{\"id\":\"silent\"}").ok();
        }
        assertThat(told(server(), before)).noneMatch(event -> event.endsWith("silent"));
    }
}
