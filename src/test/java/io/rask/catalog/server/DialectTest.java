package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What the families of clients send differently, and are answered differently. */
@ExtendWith(SharedCatalog.Provider.class)
class DialectTest {
    private final SharedCatalog catalog;
    private final RunningServer server;
    private final RawHttp raw;
    private final SharedCatalog.Home home;
    private final String table;

    DialectTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.raw = new RawHttp(server.port());
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
    }

    @Test
    void everyRouteTakesATrailingSlash() {
        server.post("/v1/projects/", "{\"id\":\"" + catalog.freshName("project") + "\"}")
                .ok();
        String namespace = "/v1/namespace/" + id(home.namespace(), "n");
        server.post(namespace + "/create/", "{}").ok();
        server.post(namespace + "/describe/", "{}").ok();
        server.post(namespace + "/exists/").ok();
        server.post(namespace + "/drop/", "{}").ok();
        server.get("/v1/namespace/$/list/").ok();
        server.get("/v1/namespace/" + home.namespace() + "/table/list/").ok();
        server.post(home.table("declared") + "/declare/").ok();
        server.arrow(table + "/create/?mode=create", Rows.THREE).ok();
        server.arrow(table + "/insert/", Rows.THREE).ok();
        assertThat(server.post(table + "/count_rows/").ok().text()).isEqualTo("6");
        server.post(table + "/describe/").ok();
        server.post(table + "/exists/").ok();
        server.post(table + "/query/", "{\"k\":1,\"vector\":[]}").ok();
        server.post(table + "/update/", "{\"updates\":[[\"id\",\"1\"]],\"predicate\":null}")
                .ok();
        server.post(table + "/delete/", "{\"predicate\":\"true\"}").ok();
        server.post(table + "/drop/").ok();
        server.get("/v1/warehouses/" + home.warehouse() + "/").ok();
        server.get("/v1/warehouses/-/bindings/").ok();
    }

    @Test
    void rowsAreCountedByGetToo() throws IOException {
        server.arrow(table + "/create", Rows.THREE).ok();
        assertThat(server.get(table + "/count_rows").ok().text()).isEqualTo("3");
        assertThat(server.get(table + "/count_rows?delimiter=%24").ok().text()).isEqualTo("3");
        RawHttp.Answer plain = raw.get(table + "/count_rows", "Accept: text/plain");
        assertThat(plain.header("content-type")).startsWith("text/plain");
        RawHttp.Answer any = raw.get(table + "/count_rows", "Accept: text/plain, application/json");
        assertThat(any.header("content-type")).startsWith("application/json");
        assertThat(any.json().isIntegralNumber()).isTrue();
    }

    @Test
    void nullsEmptyListsAndEmptyObjectsInABodyMeanAbsent() {
        server.arrow(table + "/create", Rows.THREE).ok();
        server.post(
                        table + "/describe",
                        "{\"id\":[],\"context\":{},\"version\":null,\"tag\":null,\"branch\":null,\"with_table_uri\":null}")
                .ok();
        assertThat(server.post(table + "/count_rows", "{\"predicate\":null,\"version\":null,\"branch\":null}")
                        .ok()
                        .text())
                .isEqualTo("3");
        server.post(
                        "/v1/namespace/" + id(home.namespace(), "n") + "/create",
                        "{\"id\":[],\"context\":{},\"mode\":null,\"properties\":{},\"identity\":null,\"new\":[1]}")
                .ok();
        assertThat(ArrowStreams.read(server.post(
                                table + "/query",
                                "{\"id\":[],\"k\":9,\"vector\":{\"single_vector\":[],\"multi_vector\":[]},"
                                        + "\"columns\":{\"column_aliases\":{}},\"filter\":null,\"offset\":null}")
                        .ok()
                        .bytes()))
                .hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"ExistOk", "exist_ok", "EXIST_OK", "existok", "'\\\"ExistOk\\\"'", "'\\\"exist_ok\\\"'"})
    void modesAreReadInEverySpellingClientsUse(String mode) {
        String namespace = "/v1/namespace/" + id(home.namespace(), "n");
        server.post(namespace + "/create", "{}").ok();
        server.post(namespace + "/create", "{\"mode\":\"" + mode + "\"}").ok();
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/create?mode=" + id(mode.replace("\\", "")), Rows.THREE)
                .ok();
    }

    @Test
    void dropsTakeQuotedModesAndBehaviours() {
        String namespace = "/v1/namespace/" + id(home.namespace(), "n");
        server.post(namespace + "/create", "{}").ok();
        server.post("/v1/table/" + id(home.namespace(), "n", "t") + "/declare").ok();
        refused(server.post(namespace + "/drop", "{\"behavior\":\"\\\"Restrict\\\"\"}"), 409, 3);
        server.post(namespace + "/drop", "{\"behavior\":\"\\\"Cascade\\\"\",\"mode\":\"\\\"Fail\\\"\"}")
                .ok();
        server.post(namespace + "/drop", "{\"mode\":\"\\\"Skip\\\"\"}").ok();
    }

    @Test
    void aPlusInAPathIsAPlusOrForFormEncodingClientsASpace() throws IOException {
        String plus = "/v1/table/" + home.namespace() + "$a+b";
        server.arrow(plus + "/create", Rows.THREE).ok();
        server.post(home.table("a+b") + "/exists").ok();
        refused(server.post(home.table("a b") + "/exists"), 404, 4);
        String body = "{\"id\":[\"" + home.namespace() + "\",\"a b\"]}";
        String spaced = "/v1/table/" + home.namespace() + "%24a+b";
        server.post(spaced + "/declare?delimiter=%24", body).ok();
        server.post(home.table("a b") + "/exists").ok();
        server.post(spaced + "/exists", body).ok();
        server.post(spaced + "/exists?delimiter=%24", "{\"id\":[\"" + home.namespace() + "\",\"a+b\"]}")
                .ok();
        assertThat(raw.post(spaced + "/describe", "{}").json().path("table").asString())
                .isEqualTo("a+b");
        assertThat(raw.post(spaced + "/describe?delimiter=%24", "{}")
                        .json()
                        .path("table")
                        .asString())
                .isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a/b", "a b", "50%", "a;b", "a\\b", "ä", "日本", "a+b", "a&b=c", "a#b", "[x]", "\"q\"", "'q'"})
    void aNameOfAnyPrintableCharactersIsKept(String name) {
        String path = home.table(name);
        server.arrow(path + "/create", Rows.THREE).ok();
        assertThat(server.post(path + "/describe").ok().json().path("table").asString())
                .isEqualTo(name);
        assertThat(server.get("/v1/namespace/" + home.namespace() + "/table/list")
                        .ok()
                        .json()
                        .at("/tables/0")
                        .asString())
                .isEqualTo(name);
        assertThat(server.post(path + "/count_rows").ok().text()).isEqualTo("3");
        server.post(path + "/drop").ok();
        assertThat(catalog.tableFolders(home.warehouse())).isEmpty();
    }

    @Test
    void anUnescapedSlashInAPathBelongsToTheName() throws IOException {
        server.arrow(home.table("a b/c") + "/create", Rows.THREE).ok();
        RawHttp.Answer answer = raw.post("/v1/table/" + home.namespace() + "$a%20b/c/describe/", "");
        assertThat(answer.json().path("table").asString()).isEqualTo("a b/c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Content-Type: application/json",
                "Content-Type: text/csv",
                "Accept: application/json",
                "Accept: x/y"
            })
    void contentTypeAndAcceptDecideNothing(String header) throws IOException {
        String[] headers = header.isEmpty() ? new String[0] : new String[] {header};
        assertThat(raw.send("POST", table + "/create", Rows.THREE, headers).status())
                .isEqualTo(200);
        assertThat(raw.send("POST", table + "/insert", Rows.THREE, headers).status())
                .isEqualTo(200);
        assertThat(raw.post(table + "/describe", "{}", headers).status()).isEqualTo(200);
        RawHttp.Answer rows = raw.post(table + "/query", "{\"k\":10,\"vector\":{}}", headers);
        assertThat(rows.header("content-type")).isEqualTo("application/vnd.apache.arrow.file");
        assertThat(ArrowStreams.read(rows.body())).hasSize(6);
    }

    @Test
    void propertiesAreTakenFromTheHeaderOfOlderClients() throws IOException {
        assertThat(raw.send("POST", table + "/create", Rows.THREE, "x-lance-table-properties: {\"a\":\"1\"}")
                        .status())
                .isEqualTo(200);
        assertThat(server.post(table + "/describe")
                        .ok()
                        .json()
                        .at("/properties/a")
                        .asString())
                .isEqualTo("1");
    }

    private static final List<Field> TYPES = List.of(
            Field.nullable("text", new ArrowType.Utf8()),
            Field.nullable("large", new ArrowType.LargeUtf8()),
            Field.nullable("f16", new ArrowType.FloatingPoint(FloatingPointPrecision.HALF)),
            Field.nullable("f32", ArrowStreams.FLOAT),
            Field.nullable("f64", ArrowStreams.DOUBLE),
            Field.nullable("i64", ArrowStreams.INT64),
            Field.nullable("u8", new ArrowType.Int(8, false)),
            Field.nullable("flag", ArrowStreams.BOOL),
            Field.nullable("day", new ArrowType.Date(DateUnit.DAY)),
            Field.nullable("moment", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null)),
            Field.nullable("zoned", new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC")),
            Field.nullable("clock", new ArrowType.Time(TimeUnit.MILLISECOND, 32)),
            Field.nullable("span", new ArrowType.Duration(TimeUnit.MICROSECOND)),
            Field.nullable("money", new ArrowType.Decimal(10, 2, 128)),
            ArrowStreams.vector("place", 2));

    @Test
    void describeNamesTypesInTheClientsDialect() {
        server.arrow(table + "/create", ArrowStreams.of(TYPES, List.of())).ok();
        assertThat(types("/describe"))
                .containsExactly(
                        "utf8",
                        "large_utf8",
                        "float16",
                        "float32",
                        "float64",
                        "int64",
                        "uint8",
                        "bool",
                        "date32",
                        "timestamp",
                        "timestamp",
                        "time32",
                        "duration",
                        "decimal128",
                        "fixed_size_list");
        assertThat(types("/describe/"))
                .containsExactly(
                        "string",
                        "large_string",
                        "halffloat",
                        "float",
                        "double",
                        "int64",
                        "uint8",
                        "bool",
                        "date32:day",
                        "timestamp:us:-",
                        "timestamp:ms:UTC",
                        "time32:ms",
                        "duration:us",
                        "decimal:128:10:2",
                        "fixed_size_list");
        JsonNode vector = server.post(table + "/describe/").ok().json().at("/schema/fields/14/type");
        assertThat(vector.path("length").intValue()).isEqualTo(2);
        assertThat(vector.at("/fields/0/type/type").asString()).isEqualTo("float");
    }

    private List<String> types(String operation) {
        return server.post(table + operation)
                .ok()
                .json()
                .at("/schema/fields")
                .valueStream()
                .map(field -> field.at("/type/type").asString())
                .toList();
    }

    @Test
    void describeAlwaysTellsVersionAndSchemaOfATableWithData() {
        server.arrow(table + "/create", Rows.THREE).ok();
        for (String path : List.of("/describe", "/describe/")) {
            JsonNode told = server.post(table + path).ok().json();
            assertThat(told.path("version").isIntegralNumber()).isTrue();
            assertThat(told.at("/schema/fields")).hasSize(1);
        }
    }

    @Test
    void bothGrammarsOfAQueryAskTheSame() {
        server.arrow(table + "/create", Rows.THREE).ok();
        String spec =
                "{\"k\":2,\"vector\":{},\"columns\":{\"column_names\":[\"id\"]},\"filter\":\"id > 1\",\"with_row_id\":true}";
        String lance =
                "{\"k\":2,\"vector\":[],\"columns\":[\"id\"],\"filter\":\"id > 1\",\"with_row_id\":true,\"prefilter\":true}";
        assertThat(ArrowStreams.read(server.post(table + "/query", spec).ok().bytes()))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row).containsOnlyKeys("id", "_rowid"))
                .isEqualTo(ArrowStreams.read(
                        server.post(table + "/query/", lance).ok().bytes()));
    }
}
