package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.GovernedCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whose rights a view reads by, and who learns of them. */
class GovernedViewsTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final Field ID = Field.nullable("id", new ArrowType.Int(64, true));
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        // With room for one job alone, a view's job cannot begin the next, and fails after the view was made.
        catalog = new GovernedCatalog(
                OpenFga.shared(),
                Map.of("lance.jobs.most-open", "1", "lance.jobs.attempts", "2", "lance.jobs.backoff", "3s"));
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        catalog.as("olga")
                .arrow(path("table", "shop", "orders") + "/create", ArrowStreams.longs("id", 1, 2))
                .ok();
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
    }

    private static String path(String kind, String... segments) {
        return "/v1/" + kind + "/" + RunningServer.id(segments);
    }

    /** A namespace of olga's, in which somebody may make views. */
    private static String space(String maker) {
        String space = "views-" + NAMES.incrementAndGet();
        catalog.as("olga")
                .post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + space + "\"}")
                .ok();
        catalog.grant(maker, "writer", namespace(space));
        return space;
    }

    private static String body(String source, boolean withNoData) {
        return "{\"kind\":\"query\",\"source_query\":\"SELECT id FROM " + source + "\",\"with_no_data\":" + withNoData
                + ",\"output_schema\":\"" + ViewedTables.schema(ID) + "\"}";
    }

    /** How a job ends that somebody asked for. */
    private static String ended(Answer accepted) {
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(202);
        String body = "{\"job_id\":\"" + accepted.json().path("job_id").asString() + "\"}";
        await().atMost(Duration.ofMinutes(2))
                .until(() -> catalog.as("olga")
                        .post("/v1/jobs/describe", body)
                        .ok()
                        .json()
                        .path("finished_ms")
                        .isNumber());
        return catalog.as("olga").post("/v1/jobs/describe", body).text();
    }

    private static void awaitNoJobs() {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> catalog.as("olga")
                        .post("/v1/jobs/list", "{}")
                        .ok()
                        .json()
                        .path("jobs")
                        .valueStream()
                        .allMatch(job -> List.of("DONE", "FAILED", "CANCELLED")
                                .contains(job.path("state").asString("").toUpperCase(java.util.Locale.ROOT))));
    }

    @Test
    void anAbsentSourceIsLikeAForbiddenOneForWhoMayNotReadWhereItWouldBe() {
        String space = space("vic");
        String view = path("materialized_view", space, "v") + "/create";
        Answer forbidden = catalog.as("vic").post(view, body("shop.orders", true));
        Answer absent = catalog.as("vic").post(view, body("shop.nothing", true));
        assertThat(forbidden.code()).isEqualTo(15);
        assertThat(absent.status()).isEqualTo(forbidden.status());
        assertThat(absent.json().path("detail").asString().replace("nothing", "orders"))
                .isEqualTo(forbidden.json().path("detail").asString());
        assertThat(catalog.as("olga").post(view, body("shop.nothing", true)).code())
                .isEqualTo(4);
        // Who may make no view there hears nothing of sources at all.
        Answer stranger = catalog.as("stranger").post(view, body("shop.nothing", true));
        assertThat(stranger.code()).isEqualTo(15);
        assertThat(stranger.text()).doesNotContain("nothing");
    }

    @Test
    void aTableThatIsNoViewIsToldAsThatToWhoSeesIt() {
        catalog.grant("thea", "reader", table("shop", "orders"));
        Answer answer = catalog.as("thea").post(path("materialized_view", "shop", "orders") + "/describe", "{}");
        assertThat(answer.code()).isEqualTo(4);
        assertThat(answer.text()).contains("There is no materialized view");
        assertThat(catalog.as("stranger")
                        .post(path("materialized_view", "shop", "orders") + "/describe", "{}")
                        .code())
                .isEqualTo(15);
    }

    @Test
    void theTeamsOfAMakerAreToldToNobodyAndCountOnlyWhereTheMakerAsks() {
        String space = space("tess");
        catalog.engine()
                .write(
                        List.of(new Tuple(
                                ObjectNames.team("night-crew") + "#member",
                                "reader",
                                ObjectNames.of(table("shop", "orders")))),
                        List.of());
        RunningServer tess = catalog.as("tess").asking(HeaderIdentification.TEAMS, "night-crew,others");
        String view = path("materialized_view", space, "v");
        Answer made = tess.post(view + "/create", body("shop.orders", true));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        catalog.grant("rob", "maintainer", namespace(space));

        String byOther = ended(catalog.as("rob").post(view + "/refresh", "{}"));
        assertThat(byOther).contains("FAILED").contains("can_read_data");
        String byMaker = ended(tess.post(view + "/refresh", "{}"));
        assertThat(byMaker).contains("DONE");
        // The maker has left the team.
        String afterwards = ended(catalog.as("tess").post(view + "/refresh", "{}"));
        assertThat(afterwards).contains("FAILED").contains("can_read_data");

        String told = catalog.as("olga").post(view + "/describe", "{}").ok().text()
                + catalog.as("olga")
                        .post(path("table", space, "v") + "/describe", "{\"load_detailed_metadata\":true}")
                        .ok()
                        .text()
                + catalog.as("olga").post("/v1/jobs/list", "{}").ok().text()
                + byOther
                + byMaker
                + afterwards;
        assertThat(told).contains("tess").doesNotContain("night-crew");
    }

    @Test
    void anAttemptThatFollowsAnotherTakesNoRightsAway() {
        String space = space("vic");
        String view = path("materialized_view", space, "v");
        catalog.grant("vic", "reader", table("shop", "orders"));
        awaitNoJobs();
        Thread maker =
                Thread.ofPlatform().start(() -> catalog.as("vic").post(view + "/create", body("shop.orders", false)));
        await().atMost(Duration.ofMinutes(1))
                .until(() -> catalog.as("vic").post(view + "/describe", "{}").status() == 200);
        AccessObject made = AccessObject.view(ObjectId.of(space, "v"));
        catalog.engine()
                .write(List.of(new Tuple(ObjectNames.user("guest"), "reader", ObjectNames.of(made))), List.of());
        assertThat(catalog.as("guest").post(view + "/describe", "{}").status()).isEqualTo(200);
        awaitNoJobs();
        await().until(() -> !maker.isAlive());
        assertThat(catalog.engine().of(ObjectNames.of(made)))
                .contains(new Tuple(ObjectNames.user("guest"), "reader", ObjectNames.of(made)));
        assertThat(catalog.as("vic").post("/v1/jobs/list", "{}").ok().text()).contains("FAILED");
    }
}
