package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import tools.jackson.databind.JsonNode;

/** Materialized views, made and refreshed by real workers. */
@ExtendWith(SharedCatalog.Provider.class)
class ViewBehaviourTest {
    private static final String TEAS = "SELECT id, price * 2 AS twice FROM orders WHERE item = 'tea'";
    private static final Field ID = Field.nullable("id", ArrowStreams.INT64);
    private static final Field TWICE = Field.nullable("twice", ArrowStreams.DOUBLE);

    private final RunningServer server;
    private final SharedCatalog catalog;
    private final ViewedTables tables;

    ViewBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.tables = new ViewedTables(server, catalog.freshNamespace().namespace());
        tables.orders("orders", 1, "tea", 3.5, 2, "jam", 2.0, 3, "tea", 5.0);
    }

    private static String mode(JsonNode result) {
        return result.path("mode").asString();
    }

    private String freshness(String view) {
        return tables.described(view).path("freshness").asString();
    }

    @Test
    void aViewOfTheSpecificationBeginsEmptyAndIsFilledByItsRefresh() {
        Answer made = tables.create("teas", TEAS, true, ID, TWICE);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.json().path("version").asLong()).isEqualTo(1);
        assertThat(made.json().has("job_id")).isFalse();
        assertThat(tables.rows("teas")).isEmpty();
        assertThat(freshness("teas")).isEqualTo("empty");
        JsonNode done = tables.refreshed("teas");
        assertThat(mode(done)).isEqualTo("full");
        assertThat(done.path("rows_assigned").asLong()).isEqualTo(2);
        assertThat(done.path("rows_failed").asLong()).isZero();
        assertThat(done.path("rows_remaining").asLong()).isZero();
        assertThat(done.path("source_version").asLong()).isEqualTo(1);
        assertThat(done.path("published_version").asLong()).isEqualTo(2);
        assertThat(tables.values("teas", "twice")).containsExactly(7.0, 10.0);
        JsonNode now = tables.described("teas");
        assertThat(now.path("freshness").asString()).as(now.toString()).isEqualTo("fresh");
        assertThat(now.path("incremental").asBoolean()).isTrue();
        assertThat(now.path("query").asString()).isEqualTo(TEAS);
        assertThat(now.at("/sources/0/version").asLong()).isEqualTo(1);
        assertThat(now.at("/last_refresh/mode").asString()).isEqualTo("full");
    }

    @Test
    void aViewThatIsToHaveDataNamesTheJobThatFillsIt() {
        Answer made = tables.create("teas", TEAS, false, ID, TWICE);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        tables.done(made.json().path("job_id").asString());
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L);
    }

    @Test
    void aViewInLanceDbsFormIsMadeWithItsRowsByOneJob() {
        JsonNode done = tables.made("teas", TEAS);
        assertThat(done.path("rows_assigned").asLong()).isEqualTo(2);
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L);
        assertThat(freshness("teas")).isEqualTo("fresh");
        assertThat(mode(tables.refreshed("teas"))).isEqualTo("unchanged");
        Answer empty = server.post(
                tables.view("none") + "/create", "{\"query\":\"SELECT * FROM orders\",\"with_no_data\":true}");
        tables.done(ViewedTables.job(empty));
        assertThat(freshness("none")).isEqualTo("empty");
    }

    @Test
    void aRefreshReadsWhatWasAddedAloneWhereTheQueryAllowsIt() {
        tables.made("teas", TEAS);
        tables.addOrders("orders", 4, "tea", 1.0, 5, "jam", 1.0);
        assertThat(freshness("teas")).isEqualTo("stale");
        JsonNode added = tables.refreshed("teas");
        assertThat(mode(added)).isEqualTo("incremental");
        assertThat(added.path("rows_assigned").asLong()).isEqualTo(1);
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L, 4L);
        assertThat(freshness("teas")).isEqualTo("fresh");
        server.post(tables.table("teas") + "/maintenance/compact", "{}");
        server.post(tables.table("teas") + "/create_scalar_index", "{\"column\":\"id\",\"index_type\":\"BTREE\"}")
                .ok();
        tables.addOrders("orders", 6, "tea", 1.0);
        assertThat(mode(tables.refreshed("teas"))).isEqualTo("incremental");
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L, 4L, 6L);
        assertThat(mode(tables.refreshed("teas"))).isEqualTo("unchanged");
    }

    @Test
    void aRefreshReadsAllAnewAfterADeletionOrAnUpdate() {
        tables.made("teas", TEAS);
        server.post(tables.table("orders") + "/delete", "{\"predicate\":\"id = 1\"}")
                .ok();
        assertThat(mode(tables.refreshed("teas"))).isEqualTo("full");
        assertThat(tables.values("teas", "id")).containsExactly(3L);
        server.post(tables.table("orders") + "/update", "{\"updates\":[[\"item\",\"'tea'\"]]}")
                .ok();
        assertThat(mode(tables.refreshed("teas"))).isEqualTo("full");
        assertThat(tables.values("teas", "id")).containsExactly(2L, 3L);
        server.post(tables.table("orders") + "/maintenance/compact", "{}");
        tables.refreshed("teas");
        assertThat(tables.values("teas", "id")).containsExactly(2L, 3L);
    }

    @Test
    void aViewJoinsAndSumsTablesOfSeveralNamespaces() {
        ViewedTables other = new ViewedTables(server, catalog.freshNamespace().namespace());
        other.orders("prices", 1, "tea", 10.0, 2, "jam", 20.0);
        String sql = "WITH o AS (SELECT * FROM \"" + tables.namespace() + "$orders\")"
                + " SELECT o.item, count(*) AS many, sum(p.price) AS total FROM o JOIN \"" + other.namespace()
                + "\".prices p ON o.item = p.item GROUP BY o.item ORDER BY o.item";
        tables.made("totals", sql);
        assertThat(tables.values("totals", "item")).containsExactly("jam", "tea");
        assertThat(tables.values("totals", "many")).containsExactly(1L, 2L);
        assertThat(tables.values("totals", "total")).containsExactly(20.0, 20.0);
        assertThat(tables.described("totals").path("incremental").asBoolean()).isFalse();
        other.addOrders("prices", 3, "tea", 1.0);
        assertThat(freshness("totals")).isEqualTo("stale");
        assertThat(mode(tables.refreshed("totals"))).isEqualTo("full");
        assertThat(tables.values("totals", "total")).containsExactly(20.0, 22.0);
    }

    @Test
    void aTableMayBeNamedTwiceAndReadsTheSameVersionTwice() {
        tables.made(
                "pairs",
                "SELECT a.id AS left_id, b.id AS right_id FROM orders a, orders b WHERE a.item = b.item AND a.id < b.id");
        assertThat(tables.values("pairs", "left_id")).containsExactly(1L);
        assertThat(tables.values("pairs", "right_id")).containsExactly(3L);
    }

    @Test
    void aViewIsATableThatOnlyItsRefreshChanges() throws Exception {
        tables.made("teas", TEAS);
        String table = tables.table("teas");
        byte[] row = ArrowStreams.longs("id", 9);
        refused(server.arrow(table + "/insert", row), 409, 19);
        refused(server.arrow(table + "/merge_insert?on=id", row), 409, 19);
        refused(server.arrow(table + "/create?mode=overwrite", row), 409, 19);
        refused(server.post(table + "/update", "{\"updates\":[[\"id\",\"7\"]]}"), 409, 19);
        refused(server.post(table + "/delete", "{\"predicate\":\"true\"}"), 409, 19);
        refused(server.post(table + "/restore", "{\"version\":1}"), 409, 19);
        refused(server.post(table + "/drop_columns", "{\"columns\":[\"id\"]}"), 409, 19);
        refused(server.post(table + "/schema_metadata/update", "{\"a\":\"b\"}"), 409, 19);
        refused(server.post(tables.table("orders") + "/schema_metadata/update", "{\"mv.definition\":\"{}\"}"), 400, 13);
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L);
    }

    @Test
    void whatAStrangerDidToTheRowsOfAViewIsUndoneByItsRefresh() {
        tables.made("teas", TEAS);
        String location = server.post(tables.table("teas") + "/describe")
                .ok()
                .json()
                .path("location")
                .asString();
        try (Dataset stranger = Dataset.open(location)) {
            stranger.delete("id = 1");
        }
        assertThat(freshness("teas")).isEqualTo("stale");
        assertThat(mode(tables.refreshed("teas"))).isEqualTo("full");
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L);
    }

    @Test
    void aColumnThatTheSourceGetsLaterIsNoColumnOfTheView() {
        tables.made("all", "SELECT * FROM orders");
        server.post(
                        tables.table("orders") + "/add_columns",
                        "{\"new_columns\":[{\"name\":\"more\",\"expression\":\"id + 1\"}]}")
                .ok();
        assertThat(mode(tables.refreshed("all"))).isEqualTo("full");
        assertThat(tables.rows("all").getFirst()).containsOnlyKeys("id", "item", "price");
        server.post(tables.table("orders") + "/drop_columns", "{\"columns\":[\"price\"]}")
                .ok();
        JsonNode failure = tables.failed(ViewedTables.job(server.post(tables.view("all") + "/refresh", "{}")));
        assertThat(failure.path("code").asInt()).isEqualTo(20);
        assertThat(tables.values("all", "price")).hasSize(3);
    }

    @Test
    void aRefreshOfAnEarlierVersionOfTheSourceHoldsThatOne() {
        tables.made("teas", TEAS);
        tables.addOrders("orders", 4, "tea", 1.0);
        tables.refreshed("teas");
        tables.done(ViewedTables.job(server.post(tables.view("teas") + "/refresh", "{\"src_version\":1}")));
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L);
        assertThat(freshness("teas")).isEqualTo("stale");
        JsonNode failure =
                tables.failed(ViewedTables.job(server.post(tables.view("teas") + "/refresh", "{\"src_version\":99}")));
        assertThat(failure.path("code").asInt()).isEqualTo(11);
    }

    @Test
    void aSourceThatWasRenamedOrDroppedFailsTheRefreshAndTheViewStays() {
        tables.made("teas", TEAS);
        server.post(tables.table("orders") + "/rename", "{\"new_table_name\":\"others\"}")
                .ok();
        String job = ViewedTables.job(server.post(tables.view("teas") + "/refresh", "{}"));
        assertThat(tables.failed(job).path("code").asInt()).isEqualTo(4);
        assertThat(freshness("teas")).isEqualTo("stale");
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L);
        tables.orders("orders", 7, "tea", 1.0);
        assertThat(mode(tables.refreshed("teas"))).isEqualTo("full");
        assertThat(tables.values("teas", "id")).containsExactly(7L);
    }

    @Test
    void whatCannotBeAViewIsRefusedBeforeThereIsOne() {
        refused(tables.create("v", "SELECT id FROM nowhere", true, ID), 404, 4);
        refused(tables.create("v", "SELECT nothing FROM orders", true, ID), 404, 12);
        refused(tables.create("v", "SELECT id FROM orders WHERE", true, ID), 400, 13);
        refused(tables.create("v", "SELECT 1 AS id", true, ID), 400, 13);
        refused(tables.create("v", "SELECT id, price FROM orders", true, ID), 400, 20);
        refused(tables.create("v", "SELECT item AS id FROM orders", true, ID), 400, 20);
        refused(tables.create("v", "SELECT id FROM orders", true, ID, TWICE), 400, 20);
        refused(tables.create("orders", "SELECT id FROM orders", true, ID), 409, 5);
        refused(server.post(tables.view("v") + "/describe"), 404, 4);
        assertThat(server.post(tables.table("v") + "/exists").status()).isEqualTo(404);
        refused(server.post("/v1/materialized_view/" + RunningServer.id("nowhere", "v") + "/create", "{}"), 404, 1);
    }

    @Test
    void theShapeOfARequestIsChecked() {
        String create = tables.view("v") + "/create";
        String schema = ViewedTables.schema(ID);
        String query = "\"source_query\":\"SELECT id FROM orders\",\"output_schema\":\"" + schema + "\"";
        for (String kind : List.of("udtf", "chunker", "scalar_udtf")) {
            refused(server.post(create, "{\"kind\":\"" + kind + "\"," + query + "}"), 501, 0);
        }
        refused(server.post(create, "{\"kind\":\"query\",\"auto_refresh\":true," + query + "}"), 501, 0);
        refused(server.post(create, "{}"), 400, 13);
        refused(server.post(create, "{\"kind\":\"magic\"," + query + "}"), 400, 13);
        refused(server.post(create, "{\"kind\":\"query\",\"query\":\"SELECT 1\"," + query + "}"), 400, 13);
        refused(server.post(create, "{\"kind\":\"query\",\"udtf_spec\":{}," + query + "}"), 400, 13);
        refused(server.post(create, "{\"kind\":\"query\",\"source_query\":\"SELECT id FROM orders\"}"), 400, 13);
        refused(
                server.post(
                        create,
                        "{\"kind\":\"query\",\"source_query\":\"SELECT id FROM orders\",\"output_schema\":\"AAAA\"}"),
                400,
                13);
        tables.made("teas", TEAS);
        String refresh = tables.view("teas") + "/refresh";
        refused(server.post(refresh, "{\"output_limit\":3}"), 400, 13);
        refused(server.post(refresh, "{\"manifest\":\"{}\"}"), 501, 0);
        refused(server.post(refresh, "{\"src_version\":0}"), 400, 13);
        refused(server.post(refresh, "{\"max_rows_per_fragment\":1}"), 400, 13);
        refused(server.post(refresh, "{\"concurrency\":0}"), 400, 13);
        refused(server.post(refresh, "{\"branch\":\"dev\"}"), 400, 13);
        refused(server.post(tables.view("orders") + "/refresh", "{}"), 404, 4);
        refused(server.post(tables.view("orders") + "/describe", "{}"), 404, 4);
        refused(server.post(tables.view("orders") + "/drop", "{}"), 404, 4);
    }

    @Test
    void viewsAreListedByPagesAndDropped() {
        for (String name : List.of("c", "a", "b")) {
            tables.made(name, TEAS);
        }
        String list = "/v1/namespace/" + tables.namespace() + "/materialized_view/list";
        JsonNode first = server.get(list + "?limit=2").ok().json();
        assertThat(first.path("views").toString()).isEqualTo("[\"a\",\"b\"]");
        JsonNode rest = server.get(
                        list + "?limit=2&page_token=" + first.path("page_token").asString())
                .ok()
                .json();
        assertThat(rest.path("views").toString()).isEqualTo("[\"c\"]");
        assertThat(rest.has("page_token")).isFalse();
        assertThat(server.get("/v1/namespace/" + tables.namespace() + "/table/list")
                        .ok()
                        .text())
                .contains("\"a\"", "\"orders\"");
        tables.done(ViewedTables.job(server.post(tables.view("a") + "/drop")));
        refused(server.post(tables.view("a") + "/describe"), 404, 4);
        refused(server.post(tables.view("a") + "/drop"), 404, 4);
        assertThat(server.get(list).ok().json().path("views").toString()).isEqualTo("[\"b\",\"c\"]");
        refused(server.get("/v1/namespace/nowhere-at-all/materialized_view/list"), 404, 1);
    }

    @Test
    void aViewCanBeRenamedAndReadByAnother() {
        tables.made("teas", TEAS);
        server.post(tables.table("teas") + "/rename", "{\"new_table_name\":\"cups\"}")
                .ok();
        tables.addOrders("orders", 8, "tea", 4.0);
        assertThat(mode(tables.refreshed("cups"))).isEqualTo("incremental");
        tables.made("cheap", "SELECT id FROM cups WHERE twice < 9");
        assertThat(tables.values("cheap", "id")).containsExactly(1L, 8L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SELECT o.id FROM orders o", "SELECT count(*) AS id FROM orders", "SELECT orders.id FROM orders"
            })
    void onlyTheColumnsThatAreNamedNeedToBeReadable(String sql) {
        tables.made("v", sql);
        assertThat(tables.values("v", "id")).isNotEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theEnginesLibraryIsNeverLoadedByTheServer() throws IOException {
        tables.made("teas", TEAS);
        assertThat(Files.readString(Path.of("/proc/self/maps")))
                .doesNotContain("duckdb")
                .contains("jvm");
    }
}
