package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.StagedVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import tools.jackson.databind.JsonNode;

/** Where a view could hold other rows than its query gives, or be no view at all. */
@ExtendWith(SharedCatalog.Provider.class)
class ViewSoundnessTest {
    private final RunningServer server;
    private final ViewedTables tables;

    ViewSoundnessTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.tables = new ViewedTables(server, catalog.freshNamespace().namespace());
        tables.orders("orders", 1, "tea", 3.5, 2, "jam", 2.0, 3, "tea", 5.0);
    }

    private JsonNode refusedRefresh(String view) {
        return tables.failed(ViewedTables.job(server.post(tables.view(view) + "/refresh", "{}")));
    }

    private void addColumn(String table, String name) {
        server.post(
                        tables.table(table) + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"" + name + "\",\"expression\":\"id + 1\"}]}")
                .ok();
    }

    private Dataset opened(String table) {
        return Dataset.open(server.post(tables.table(table) + "/describe")
                .ok()
                .json()
                .path("location")
                .asString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT #1 AS x, price FROM orders",
                "SELECT price AS x FROM orders AS o(price)",
                "SELECT price AS x, id AS item FROM orders AS o(price, id)",
                "SELECT s.x FROM (SELECT #1 AS x, price FROM orders) s",
            })
    void aColumnThatIsNotCalledByItsNameIsTheOneOfTheWholeTable(String sql) {
        tables.made("v", sql);
        assertThat(tables.values("v", "x")).containsExactly(1L, 2L, 3L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a AS whole FROM orders a JOIN orders b ON a.id = b.id",
                "SELECT b AS whole FROM orders a JOIN orders b ON a.id = b.id",
                "SELECT O AS whole FROM orders o",
            })
    void aTableThatStandsForAValueIsItsWholeRows(String sql) {
        tables.made("v", sql);
        assertThat(tables.rows("v"))
                .hasSize(3)
                .allSatisfy(row -> assertThat(String.valueOf(row.get("whole"))).contains("id", "item", "price"));
    }

    @Test
    void aRefreshThatWasOvertakenBeginsAnew() {
        // Takes a few seconds, in which another writer changes the view.
        tables.made(
                "slow", "SELECT count(*) AS many FROM orders, range(8000000) r(n) WHERE md5(CAST(n AS VARCHAR)) < 'g'");
        tables.addOrders("orders", 4, "tea", 1.0);
        String job = ViewedTables.job(server.post(tables.view("slow") + "/refresh", "{}"));
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> states(job).contains("full"));
        try (Dataset stranger = opened("slow")) {
            stranger.delete("many > 0");
        }
        tables.done(job);
        assertThat(states(job)).contains("conflict");
        assertThat(tables.values("slow", "many")).containsExactly(32_000_000L);
        assertThat(tables.described("slow").path("freshness").asString()).isEqualTo("fresh");
    }

    private List<String> states(String job) {
        List<Map<String, @Nullable Object>> events =
                ArrowStreams.readStream(server.post("/v1/jobs/query_events", "{\"job_id\":\"" + job + "\"}")
                        .ok()
                        .bytes());
        return events.stream().map(event -> String.valueOf(event.get("state"))).toList();
    }

    @Test
    void anotherColumnOfTheSameNameIsReadAnew() {
        tables.made("prices", "SELECT id, price FROM orders");
        try (Dataset stranger = opened("orders")) {
            stranger.dropColumns(List.of("price"));
        }
        try (Dataset stranger = opened("orders")) {
            stranger.addColumns(List.of(Field.nullable("price", ArrowStreams.DOUBLE)));
        }
        assertThat(tables.refreshed("prices").path("mode").asString()).isEqualTo("full");
        assertThat(tables.rows("prices"))
                .hasSize(3)
                .allSatisfy(row -> assertThat(row.get("price")).isNull());
    }

    @Test
    void twoColumnsOfOneNameAreRefused() {
        String sql = "SELECT a.id, b.id FROM orders a JOIN orders b ON a.id = b.id";
        refused(tables.create("v", sql, true, Field.nullable("id", ArrowStreams.INT64)), 400, 20);
        assertThat(tables.failed(tables.begin("v", sql)).path("message").asString())
                .contains("'id'", "another name");
        tables.made("v", "SELECT *, 1 AS more FROM orders");
        addColumn("orders", "more");
        JsonNode failure = refusedRefresh("v");
        assertThat(failure.path("code").asInt()).isEqualTo(20);
        assertThat(failure.path("message").asString()).contains("'more'", "another name");
        assertThat(tables.values("v", "more")).containsExactly(1, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT DISTINCT * FROM orders",
                "SELECT * FROM orders UNION SELECT * FROM orders",
                "SELECT * FROM orders a NATURAL JOIN orders b",
            })
    void aLaterColumnOnWhichTheRowsDependFailsTheRefresh(String sql) {
        tables.made("v", sql);
        addColumn("orders", "more");
        JsonNode failure = refusedRefresh("v");
        assertThat(failure.path("code").asInt()).as(failure.toString()).isEqualTo(20);
        assertThat(failure.path("message").asString()).contains("'more'", "names its columns");
        assertThat(tables.values("v", "id")).containsExactly(1L, 2L, 3L);
    }

    @Test
    void columnsThatDifferInTheCaseOfLettersAloneAreRefused() {
        server.arrow(
                        tables.table("cased") + "/create",
                        ArrowStreams.of(
                                List.of(
                                        Field.nullable("id", ArrowStreams.INT64),
                                        Field.nullable("ID", ArrowStreams.INT64),
                                        Field.nullable("other", ArrowStreams.INT64)),
                                List.of(ArrowStreams.row(1, 2, 3))))
                .ok();
        JsonNode failure = tables.failed(tables.begin("v", "SELECT id FROM cased"));
        assertThat(failure.path("code").asInt()).isEqualTo(13);
        assertThat(failure.path("message").asString()).contains("'ID'");
        tables.made("v", "SELECT other FROM cased");
        assertThat(tables.values("v", "other")).containsExactly(3L);
    }

    @Test
    void aColumnOfBlobsIsRefusedByItsName() {
        Field blob = new Field(
                "picture",
                new FieldType(true, new ArrowType.LargeBinary(), null, Map.of("lance-encoding:blob", "true")),
                null);
        server.arrow(
                        tables.table("pictures") + "/create",
                        ArrowStreams.of(List.of(Field.nullable("id", ArrowStreams.INT64), blob), List.of()))
                .ok();
        JsonNode failure = tables.failed(tables.begin("v", "SELECT * FROM pictures"));
        assertThat(failure.path("code").asInt()).isEqualTo(13);
        assertThat(failure.path("message").asString()).contains("'picture'", "blobs");
        tables.made("v", "SELECT id FROM pictures");
    }

    @Test
    void noVersionOfAViewIsMadeTogetherWithOthers() {
        tables.made("teas", "SELECT id FROM orders WHERE item = 'tea'");
        ObjectId orders = ObjectId.of(tables.namespace(), "orders");
        ObjectId teas = ObjectId.of(tables.namespace(), "teas");
        StagedVersion staged = StagedVersion.inserting(
                server,
                orders,
                ArrowStreams.of(List.of(Field.nullable("id", ArrowStreams.INT64)), List.of(ArrowStreams.row(4))));
        String entry = new StagedVersion(StagedVersion.json(teas), staged.version(), staged.path()).request();
        refused(server.post(tables.table("teas") + "/version/create", entry), 409, 19);
        refused(server.post("/v1/table/version/batch-create", "{\"entries\":[" + entry + "]}"), 409, 19);
        refused(
                server.post("/v1/table/batch-commit", "{\"operations\":[{\"create_table_version\":" + entry + "}]}"),
                409,
                19);
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L);
    }

    @Test
    void nobodyButTheCatalogMarksATableAsAView() {
        String mark = "{\"properties\":{\"mv.kind\":\"query\"}";
        String query = "?properties=%7B%22mv.kind%22%3A%22query%22%7D";
        byte[] rows = ArrowStreams.longs("id", 1);
        for (Answer answer : List.of(
                server.post(tables.table("v") + "/declare", mark + "}"),
                server.post(tables.table("v") + "/register", mark + ",\"location\":\"v.lance\"}"),
                server.arrow(tables.table("v") + "/create" + query, rows),
                server.arrow(tables.table("orders") + "/create" + query + "&mode=overwrite", rows))) {
            refused(answer, 400, 13);
            assertThat(answer.text()).contains("mv.kind");
        }
    }

    @Test
    void aStreamBringsNoKeysOfTheCatalogAlong() {
        Schema schema = new Schema(
                List.of(Field.nullable("id", ArrowStreams.INT64)),
                Map.of("mv.definition", "{}", "rask:computed", "x", "mine", "kept"));
        byte[] rows = ArrowStreams.of(schema, List.of(ArrowStreams.row(1)));
        server.arrow(tables.table("mine") + "/create", rows).ok();
        assertThat(metadata("mine")).isEqualTo(Map.of("mine", "kept"));
        server.arrow(tables.table("orders") + "/create?mode=overwrite", rows).ok();
        assertThat(metadata("orders")).isEqualTo(Map.of("mine", "kept"));
        server.post(tables.table("later") + "/declare", "{}").ok();
        server.arrow(tables.table("later") + "/insert", rows).ok();
        assertThat(metadata("later")).isEqualTo(Map.of("mine", "kept"));
    }

    private Map<String, String> metadata(String table) {
        try (Dataset dataset = opened(table)) {
            return Objects.requireNonNull(dataset.getSchema().getCustomMetadata());
        }
    }

    @Test
    void theJobThatMakesAViewBeginsItsRefreshItself() {
        String job = tables.create(
                        "teas",
                        "SELECT id FROM orders WHERE item = 'tea'",
                        false,
                        Field.nullable("id", ArrowStreams.INT64))
                .json()
                .path("job_id")
                .asString();
        tables.done(job);
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L);
        assertThat(server.post("/v1/jobs/list", "{\"limit\":100}")
                        .ok()
                        .json()
                        .path("jobs")
                        .valueStream())
                .filteredOn(made -> made.path("job_type").asString().equals("create_materialized_view")
                        && made.path("table").asString().equals(tables.namespace() + "$teas"))
                .extracting(made -> tables.ended(made.path("job_id").asString())
                        .at("/result/refresh_job_id")
                        .asString(""))
                .contains(job);
    }
}
