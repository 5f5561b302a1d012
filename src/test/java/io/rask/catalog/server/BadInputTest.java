package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Input that is wrong in every way is the caller's error, changes nothing and costs nothing. */
@ExtendWith(SharedCatalog.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputTest {
    private static final List<Field> COLUMNS = List.of(Field.nullable("id", INT64), vector("place", 2));
    private static final String LONG_NAME = "n".repeat(300);

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final RawHttp raw;
    private final SharedCatalog.Home home;
    private final String table;

    BadInputTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.raw = new RawHttp(server.port());
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
        server.arrow(table + "/create", ArrowStreams.of(COLUMNS, List.of(row(1, List.of(0, 0)), row(2, null))))
                .ok();
    }

    @AfterEach
    void nothingWasWritten() {
        assertThat(server.post(table + "/describe").ok().json().path("version").longValue())
                .isEqualTo(1);
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("2");
        assertThat(catalog.tableFolders(home.warehouse())).hasSize(1);
        assertThat(server.get("/v1/namespace/" + home.namespace() + "/table/list")
                        .ok()
                        .json()
                        .path("tables"))
                .hasSize(1);
        assertThat(server.get("/v1/namespace/" + home.namespace() + "/list")
                        .ok()
                        .json()
                        .path("namespaces"))
                .isEmpty();
    }

    private static void refusedRaw(RawHttp.Answer answer, int status, int code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.code()).as(answer.text()).isEqualTo(code);
        assertThat(answer.header("content-type")).startsWith("application/problem+json");
    }

    private static String quoted(String text) {
        return JsonMapper.shared().writeValueAsString(text);
    }

    private List<String> jsonDoors() {
        String namespace = "/v1/namespace/" + id(home.namespace(), "n");
        return List.of(
                "/v1/projects",
                "/v1/warehouses",
                "/v1/warehouses/" + home.warehouse() + "/namespaces",
                namespace + "/create",
                namespace + "/describe",
                namespace + "/exists",
                namespace + "/drop",
                home.table("fresh") + "/declare",
                table + "/describe",
                table + "/exists",
                table + "/drop",
                table + "/count_rows",
                table + "/query",
                table + "/update",
                table + "/delete");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"id\":}",
                "{\"id\":[]}}",
                "{} {}",
                "[",
                "[]",
                "7",
                "\"text\"",
                "{\"id\":[],\"id\":[]}",
                "{'id':[]}",
                "{\"id\":[\"\\ud800",
                "\u0000",
                "not json",
                "<html></html>"
            })
    void malformedJsonIsRefusedAtEveryDoor(String body) {
        jsonDoors().forEach(door -> refused(server.post(door, body), 400, 13));
    }

    @Test
    void jsonNestedWithoutEndIsRefusedAtEveryDoor() {
        String deep = "{\"properties\":" + "[".repeat(50_000);
        jsonDoors().forEach(door -> refused(server.post(door, deep), 400, 13));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"t\"}",
                "{\"id\":[1]}",
                "{\"id\":{}}",
                "{\"id\":[\"other\"]}",
                "{\"id\":[\"a\",\"\"]}",
                "{\"id\":[null]}",
                "{\"id\":[\"..\"]}",
                "{\"context\":[]}",
                "{\"context\":\"x\"}",
                "{\"context\":{\"a\":1}}"
            })
    void anIdOrAContextOfTheWrongKindIsRefusedAtEveryDoorOfAnObject(String body) {
        jsonDoors().stream()
                .filter(door -> door.startsWith("/v1/namespace") || door.startsWith("/v1/table"))
                .forEach(door -> refused(server.post(door, body), 400, 13));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespace | create     | {\"mode\":\"upsert\"}",
                "namespace | create     | {\"mode\":\"\"}",
                "namespace | create     | {\"mode\":7}",
                "namespace | create     | {\"mode\":[\"create\"]}",
                "namespace | create     | {\"mode\":0}",
                "namespace | create     | {\"properties\":[]}",
                "namespace | create     | {\"properties\":\"x\"}",
                "namespace | create     | {\"properties\":{\"a\":1}}",
                "namespace | create     | {\"properties\":{\"a\":{}}}",
                "namespace | drop       | {\"mode\":\"ignore\"}",
                "namespace | drop       | {\"behavior\":\"recursive\"}",
                "namespace | drop       | {\"behavior\":true}",
                "table     | describe   | {\"version\":\"one\"}",
                "table     | describe   | {\"version\":1.5}",
                "table     | describe   | {\"version\":true}",
                "table     | describe   | {\"with_table_uri\":\"yes\"}",
                "table     | describe   | {\"tag\":7}",
                "table     | describe   | {\"branch\":[]}",
                "table     | exists     | {\"version\":{}}",
                "table     | count_rows | {\"predicate\":7}",
                "table     | count_rows | {\"version\":\"1\"}",
                "table     | query      | {\"vector\":{},\"k\":\"ten\"}",
                "table     | query      | {\"vector\":{},\"k\":-1}",
                "table     | query      | {\"k\":1,\"vector\":{\"single_vector\":\"x\"}}",
                "table     | query      | {\"k\":1,\"vector\":{\"single_vector\":[\"x\"]}}",
                "table     | query      | {\"k\":1,\"vector\":{},\"columns\":7}",
                "table     | query      | {\"k\":1,\"vector\":{},\"offset\":-1}",
                "table     | query      | {\"k\":1,\"vector\":{},\"filter\":[]}",
                "table     | update     | {\"updates\":{\"id\":\"1\"}}",
                "table     | delete     | {\"predicate\":[\"id = 1\"]}",
                "table     | declare    | {\"properties\":{\"a\":[]}}"
            })
    void aFieldOfTheWrongTypeOrAnUnknownModeIsRefused(String kind, String operation, String body) {
        String target = kind.equals("namespace")
                ? "/v1/namespace/" + id(home.namespace(), "n")
                : operation.equals("declare") ? home.table("fresh") : table;
        Answer answer = refused(server.post(target + "/" + operation, body), 400, 13);
        // The field that is wrong is the last of the body.
        List<String> fields = JsonMapper.shared()
                .readTree(body)
                .propertyStream()
                .map(Map.Entry::getKey)
                .toList();
        assertThat(reason(answer)).containsIgnoringCase(fields.getLast());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mode=upsert",
                "mode=",
                "mode=create&mode=overwrite",
                "properties=x",
                "properties=[]",
                "properties=7",
                "properties=%7B%22a%22:1%7D",
                "properties=%7B%22a%22:%7B%7D%7D",
                "properties=%7B",
                "properties=%ff",
                "properties=%zz",
                "mode=%00"
            })
    void aTableCreationWithABadQueryIsRefused(String query) throws IOException {
        refusedRaw(raw.send("POST", home.table("fresh") + "/create?" + query, Rows.THREE), 400, 13);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "1.5", "9223372036854775808", "1e3", "NaN"})
    void aListingLimitThatIsNoPositiveNumberIsRefused(String limit) {
        for (String listing : List.of(
                "/v1/projects",
                "/v1/warehouses",
                "/v1/warehouses/-/bindings",
                "/v1/warehouses/" + home.warehouse() + "/namespaces",
                "/v1/namespace/$/list",
                "/v1/namespace/" + home.namespace() + "/list",
                "/v1/namespace/" + home.namespace() + "/table/list")) {
            refused(server.get(listing + "?limit=" + limit), 400, 13);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}$$",
                "{}$",
                "$t",
                "{}$..$t",
                "{}$.$t",
                "..",
                "{}$%00",
                "{}$t%00",
                "{}$%0A",
                "{}$%7F",
                "{}$%C2%85",
                "{}$%FF",
                "{}$%C3",
                "{}$%",
                "{}$%4",
                "{}$%zz",
                "{}$%E0%80%80"
            })
    void anIdThatCannotBeOneIsRefusedByEveryOperation(String pattern) throws IOException {
        String bad = pattern.replace("{}", home.namespace());
        for (String operation : List.of("describe", "exists", "drop", "declare", "count_rows", "delete")) {
            refusedRaw(raw.post("/v1/table/" + bad + "/" + operation, "{}"), 400, 13);
        }
        for (String operation : List.of("create", "insert")) {
            refusedRaw(raw.send("POST", "/v1/table/" + bad + "/" + operation, Rows.THREE), 400, 13);
        }
        for (String operation : List.of("create", "describe", "exists", "drop")) {
            refusedRaw(raw.post("/v1/namespace/" + bad + "/" + operation, "{}"), 400, 13);
        }
        refusedRaw(raw.get("/v1/namespace/" + bad + "/list"), 400, 13);
        refusedRaw(raw.get("/v1/namespace/" + bad + "/table/list"), 400, 13);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}$t;x",
                "{}$t;",
                "{};x$t",
                "{}$t%3Bx",
                "{}$t%2Fx",
                "{}$t/x",
                "{}$x%2F..%2Ft",
                "{}$t%5Cx",
                "{}%2Ft"
            })
    void aSemicolonOrASlashInAnIdNeverReachesAnotherTable(String pattern) throws IOException {
        String other = pattern.replace("{}", home.namespace());
        for (String operation : List.of("describe", "exists", "drop", "count_rows")) {
            refusedRaw(raw.post("/v1/table/" + other + "/" + operation, "{}"), 404, 4);
        }
        refusedRaw(raw.post("/v1/table/" + other + "/delete", "{\"predicate\":\"true\"}"), 404, 4);
        refusedRaw(raw.send("POST", "/v1/table/" + other + "/insert", Rows.THREE), 404, 4);
    }

    @Test
    void aNameOf300CharactersIsRefusedWhereItWouldBeMadeAndAbsentElsewhere() {
        String bad = home.table(LONG_NAME);
        refused(server.arrow(bad + "/create", Rows.THREE), 400, 13);
        refused(server.post(bad + "/declare", "{}"), 400, 13);
        refused(server.post("/v1/namespace/" + id(home.namespace(), LONG_NAME) + "/create", "{}"), 400, 13);
        String bind = "{\"namespace\":\"" + LONG_NAME + "\"}";
        refused(server.post("/v1/warehouses/" + home.warehouse() + "/namespaces", bind), 400, 13);
        refused(server.post("/v1/projects", "{\"id\":\"" + LONG_NAME + "\"}"), 400, 13);
        refused(server.get("/v1/projects/" + LONG_NAME), 400, 13);
        refused(server.post(bad + "/describe"), 404, 4);
        refused(server.post(bad + "/drop"), 404, 4);
        refused(server.arrow(bad + "/insert", Rows.THREE), 404, 4);
        refused(server.post("/v1/namespace/" + LONG_NAME + "/describe"), 404, 1);
        refused(server.post("/v1/namespace/" + LONG_NAME + "/drop"), 404, 1);
    }

    static Stream<byte[]> bodiesThatAreNoArrowStream() {
        return HostileStreams.all();
    }

    @ParameterizedTest
    @MethodSource("bodiesThatAreNoArrowStream")
    void aBodyThatIsNoArrowStreamIsRefused(byte[] body) {
        refused(server.arrow(table + "/insert", body), 400, 13);
        refused(server.arrow(table + "/insert?mode=overwrite", body), 400, 13);
        refused(server.arrow(table + "/create?mode=overwrite", body), 400, 13);
        refused(server.arrow(home.table("fresh") + "/create", body), 400, 13);
    }

    @Test
    void aStreamCutOffAnywhereIsRefused() {
        byte[] whole = ArrowStreams.of(COLUMNS, List.of(row(3, List.of(1, 1)), row(4, List.of(2, 2))));
        for (byte[] cut : HostileStreams.cuts(whole)) {
            Answer answer = server.arrow(table + "/insert", cut);
            assertThat(answer.status())
                    .as("%d of %d bytes: %s", cut.length, whole.length, answer.text())
                    .isEqualTo(400);
            refused(answer, 400, 13);
            refused(server.arrow(home.table("fresh") + "/create", cut), 400, 13);
        }
    }

    @Test
    void aVectorOfAnotherDimensionIsRefusedAndNamed() {
        for (int dimensions : new int[] {1, 3, 4096}) {
            List<Integer> values = IntStream.range(0, dimensions).boxed().toList();
            byte[] body =
                    ArrowStreams.of(List.of(COLUMNS.get(0), vector("place", dimensions)), List.of(row(3, values)));
            Answer answer = refused(server.arrow(table + "/insert", body), 400, 20);
            assertThat(reason(answer))
                    .contains("'place'")
                    .contains(String.valueOf(dimensions))
                    .contains("2");
            String query = "{\"k\":1,\"vector\":{\"single_vector\":" + values + "},\"vector_column\":\"place\"}";
            refused(server.post(table + "/query", query), 400, 13);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"colour = 1", "id = colour", "\"ID2\" > 0", "place.x = 1", "lower(colour) = 'x'"})
    void anUnknownColumnInAPredicateIsNamed(String predicate) {
        sqlDoors(predicate).forEach((door, body) -> {
            Answer answer = server.post(door, body);
            refused(answer, answer.code() == 12 ? 404 : 400, answer.code());
            assertThat(answer.code()).as(answer.text()).isIn(12, 13);
        });
        refused(server.post(table + "/count_rows", "{\"predicate\":\"colour = 1\"}"), 404, 12);
    }

    private Map<String, String> sqlDoors(String predicate) {
        String sql = quoted(predicate);
        return Map.of(
                table + "/count_rows", "{\"predicate\":" + sql + "}",
                table + "/delete", "{\"predicate\":" + sql + "}",
                table + "/update", "{\"predicate\":" + sql + ",\"updates\":[[\"id\",\"9\"]]}",
                table + "/query", "{\"k\":5,\"vector\":{},\"filter\":" + sql + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id =",
                "= 1",
                "id = 1 and",
                "id = 'x",
                "id = (1",
                "id = 1)",
                "id = 1; drop table t",
                "id = 1 -- comment",
                "id = 1 /* x */",
                "select 1",
                "id in (select id from t)",
                "exists (select 1)",
                "id",
                "id + 1",
                "id like",
                "no_such_function(id) = 1",
                "sleep(10) = 1",
                "id between 1",
                "\u0000",
                "id = \u0000",
                "((((",
                "☃ = 1",
                "id == == 1",
                "cast(id as nothing) = 1",
                "count(*) > 1",
                "row_number() over () = 1"
            })
    void badSqlIsRefusedAtEveryDoor(String predicate) {
        sqlDoors(predicate).forEach((door, body) -> {
            Answer answer = server.post(door, body);
            assertThat(answer.code()).as(door + ": " + answer.text()).isIn(12, 13);
            refused(answer, answer.code() == 12 ? 404 : 400, answer.code());
        });
    }

    @Test
    void aChainOf3000OrTermsIsRefusedAtEveryDoor() {
        String chain = IntStream.range(0, 3_000).mapToObj(i -> "id = " + i).collect(Collectors.joining(" OR "));
        sqlDoors(chain).forEach((door, body) -> refused(server.post(door, body), 400, 13));
        String nested = "(".repeat(3_000) + "id = 1" + ")".repeat(3_000);
        sqlDoors(nested).forEach((door, body) -> refused(server.post(door, body), 400, 13));
        String negated = "not ".repeat(3_000) + "id = 1";
        sqlDoors(negated).forEach((door, body) -> refused(server.post(door, body), 400, 13));
    }

    @Test
    void anExpressionThatIsNoValueIsRefused() {
        for (String expression : List.of("", " ", "1 +", "(select 1)", "1; 2", "no_such_function()", "'x'", "colour")) {
            Answer answer = server.post(table + "/update", "{\"updates\":[[\"id\"," + quoted(expression) + "]]}");
            assertThat(answer.code()).as(expression + ": " + answer.text()).isIn(12, 13);
        }
    }

    @Test
    void columnsThatCannotBeStoredAreRefusedAndNamed() {
        for (String name : List.of("", "a.b", "_rowid", "_distance", "a\nb", "x".repeat(5_000))) {
            Answer answer = server.arrow(home.table("fresh") + "/create", ArrowStreams.longs(name, 1));
            refused(answer, 400, answer.code());
            assertThat(answer.code()).as(answer.text()).isIn(13, 20);
        }
        refused(server.arrow(home.table("fresh") + "/create", ArrowStreams.of(List.of(), List.of())), 400, 13);
    }
}
