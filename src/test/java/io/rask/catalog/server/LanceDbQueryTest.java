package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** How LanceDB's own clients ask for the rows of a table, and the rows they get. */
@ExtendWith(SharedCatalog.Provider.class)
class LanceDbQueryTest {
    private final FruitTable fruits;
    private final RunningServer database;
    private final String table;

    LanceDbQueryTest(SharedCatalog catalog) {
        fruits = FruitTable.made(catalog);
        database = fruits.database();
        table = fruits.address();
    }

    @Test
    void aReadTellsTheVersionItIsFrom() {
        database.arrow(table + "/insert/", FruitTable.FOUR).ok();
        assertThat(database.post(table + "/count_rows/", "{}").header("x-lancedb-version"))
                .isEqualTo("2");
        Answer old = database.post(table + "/count_rows/", "{\"version\":1}");
        assertThat(old.header("x-lancedb-version")).isEqualTo("1");
        assertThat(old.text()).isEqualTo("4");
        assertThat(database.post(table + "/query/", "{\"k\":1,\"vector\":[]}").header("x-lancedb-version"))
                .isEqualTo("2");
        assertThat(database.post(table + "/query/", "{\"k\":1,\"vector\":[],\"version\":1}")
                        .header("x-lancedb-version"))
                .isEqualTo("1");
    }

    @Test
    void aQueryWithoutALimitOrAVectorIsAScan() {
        assertThat(fruits.values(
                        "id",
                        "{\"k\":9223372036854775807,\"vector\":[],\"prefilter\":true,\"ef\":null,\"refine_factor\":null,"
                                + "\"filter\":null,\"version\":null,\"order_by\":[{\"column_name\":\"price\","
                                + "\"ascending\":false,\"nulls_first\":true}]}"))
                .containsExactly(3L, 4L, 2L, 1L);
        assertThat(fruits.values("id", "{\"k\":2,\"offset\":1,\"vector\":[],\"order_by\":[{\"column_name\":\"id\"}]}"))
                .containsExactly(2L, 3L);
    }

    @Test
    void expressionsAreBoundedTogether() {
        String twice = "Name" + " || Name".repeat(120);
        refused(
                database.post(
                        table + "/query/",
                        "{\"k\":1,\"vector\":[],\"columns\":{\"a\":\"" + twice + "\",\"b\":\"" + twice + "\"}}"),
                400,
                13);
        database.post(table + "/query/", "{\"k\":1,\"vector\":[],\"columns\":{\"a\":\"" + twice + "\"}}")
                .ok();
    }

    @Test
    void anExpressionThatGivesADictionaryIsRefused() {
        refused(
                database.post(
                        table + "/query/",
                        "{\"k\":1,\"vector\":[],\"columns\":{\"a\":\"arrow_cast(Name, 'Dictionary(Int32, Utf8)')\"}}"),
                400,
                13);
    }

    @Test
    void columnsAreExpressionsUnderNamesOfTheirOwn() {
        String body = """
                {"k":9,"vector":[],"filter":"id < 4","order_by":[{"column_name":"id"}],"columns":{
                 "number":"id","loud":"upper(Name)","twice":"price * 2","size":"CASE WHEN price > 2 THEN 'big' ELSE 'small' END",
                 "one":"1","quoted":"`Name`"}}
                """;
        List<Map<String, @Nullable Object>> rows = fruits.query(body);
        assertThat(rows).hasSize(3);
        assertThat(rows.get(0))
                .containsExactly(
                        Map.entry("number", 1L),
                        Map.entry("loud", "RED APPLE"),
                        Map.entry("twice", 3.0),
                        Map.entry("size", "small"),
                        Map.entry("one", 1L),
                        Map.entry("quoted", "red apple"));
        assertThat(rows.get(1)).containsEntry("size", "big").containsEntry("loud", "GREEN APPLE");
        assertThat(rows.get(2)).containsEntry("twice", null).containsEntry("number", 3L);
    }

    @Test
    void anExpressionUsesWhatASearchFinds() {
        String body = """
                {"k":2,"vector":[0,0],"vector_column":"place","with_row_id":true,
                 "columns":{"id":"id","near":"_distance < 0.5","share":"_distance / 2"}}
                """;
        List<Map<String, @Nullable Object>> rows = fruits.query(body);
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0))
                .containsEntry("id", 1L)
                .containsEntry("near", true)
                .containsEntry("_distance", 0f);
        assertThat(rows.get(1)).containsEntry("id", 2L).containsEntry("near", false);
        assertThat(((Number) rows.get(1).get("share")).doubleValue()).isEqualTo(0.5);
        assertThat(rows.get(1)).containsKey("_rowid");
    }

    @Test
    void anExpressionOverNoRowHasItsTypeAllTheSame() {
        assertThat(fruits.query(
                        "{\"k\":9,\"vector\":[],\"filter\":\"id > 100\",\"columns\":{\"loud\":\"upper(Name)\"}}"))
                .isEmpty();
    }

    @Test
    void anExpressionOverManyRowsKeepsTheirOrder() {
        long[] numbers = java.util.stream.LongStream.range(0, 50_000).toArray();
        database.arrow("/v1/table/many/create/", ArrowStreams.longs("id", numbers))
                .ok();
        String body = "{\"k\":50000,\"vector\":[],\"columns\":{\"id\":\"id\",\"next\":\"id + 1\"}}";
        List<Map<String, @Nullable Object>> rows = ArrowStreams.read(
                database.post("/v1/table/many/query/", body).ok().bytes());
        assertThat(rows).hasSize(50_000);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i)).containsEntry("id", (long) i).containsEntry("next", i + 1L);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nope + 1 | 404 | 12",
                "upper(Name | 400 | 13",
                "_rowid + 1 | 400 | 13",
                "id; DROP TABLE dataset | 400 | 13",
                "(SELECT 1) | 400 | 13",
                "no_such_function(id) | 400 | 13",
                "Name * 2 | 400 | 13"
            })
    void anExpressionThatCannotBeIsRefused(String expression, int status, int code) {
        refused(
                database.post(table + "/query/", "{\"k\":1,\"vector\":[],\"columns\":{\"x\":\"" + expression + "\"}}"),
                status,
                code);
    }

    @Test
    void severalVectorsAreAnsweredByNumber() {
        List<Map<String, @Nullable Object>> rows =
                fruits.query("{\"k\":1,\"vector\":[[9,9],[0.9,0]],\"vector_column\":\"place\",\"columns\":[\"id\"]}");
        assertThat(rows).extracting(found -> found.get("id")).containsExactly(4L, 2L);
        assertThat(rows).extracting(found -> found.get("query_index")).containsExactly(0, 1);
    }

    @Test
    void theTwoHalvesOfAHybridSearchHaveWhatTheClientJoinsThemBy() {
        IndexedTable indexed = new IndexedTable(database, table);
        indexed.make("{\"column\":\"Name\",\"index_type\":\"FTS\"}");
        List<Map<String, @Nullable Object>> words =
                fruits.query("{\"k\":9,\"vector\":[],\"with_row_id\":true,\"full_text_query\":{\"query\":{\"match\":"
                        + "{\"column\":null,\"terms\":\"apple\",\"boost\":1.0,\"fuzziness\":0,\"max_expansions\":50,"
                        + "\"operator\":\"Or\",\"prefix_length\":0}}}}");
        assertThat(words).hasSize(2).allSatisfy(found -> assertThat(found).containsKeys("_rowid", "_score"));
        assertThat(words).extracting(found -> found.get("id")).containsExactlyInAnyOrder(1L, 2L);
        List<Map<String, @Nullable Object>> near =
                fruits.query("{\"k\":2,\"vector\":[0,0],\"vector_column\":\"place\",\"with_row_id\":true}");
        assertThat(near).allSatisfy(found -> assertThat(found).containsKeys("_rowid", "_distance"));
        assertThat(near)
                .extracting(found -> found.get("_rowid"))
                .containsExactlyInAnyOrderElementsOf(
                        words.stream().map(found -> found.get("_rowid")).toList());
        assertThat(fruits.values(
                        "id",
                        "{\"k\":9,\"vector\":[],\"full_text_query\":{\"columns\":[\"Name\"],\"query\":\"plum\"}}"))
                .containsExactly(4L);
        assertThat(fruits.values(
                        "id", "{\"k\":9,\"vector\":[],\"full_text_query\":{\"columns\":[],\"query\":\"pear\"}}"))
                .containsExactly(3L);
    }

    @Test
    void plansAreTextsInQuotes() {
        JsonNode plan = fruits.json(
                "/explain_plan/", "{\"verbose\":true,\"query\":{\"k\":3,\"vector\":[],\"filter\":\"id > 1\"}}");
        assertThat(plan.isString()).isTrue();
        assertThat(plan.asString()).contains("LanceRead");
        JsonNode analyzed = fruits.json("/analyze_plan/", "{\"k\":3,\"vector\":[],\"columns\":{\"x\":\"id + 1\"}}");
        assertThat(analyzed.asString()).contains("Compute: [id + 1]", "output_rows=3");
    }
}
