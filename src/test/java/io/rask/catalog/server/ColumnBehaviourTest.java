package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.ArrowStreams.DOUBLE;
import static io.rask.catalog.testing.ArrowStreams.INT32;
import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.required;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Indices;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import tools.jackson.databind.JsonNode;

/** What happens to columns. */
@ExtendWith(SharedCatalog.Provider.class)
class ColumnBehaviourTest {
    private static final List<Field> COLUMNS = List.of(
            required("id", INT64),
            Field.nullable("name", UTF8),
            Field.nullable("price", DOUBLE),
            Field.nullable("size", INT32),
            vector("place", 2));

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final String table;

    ColumnBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.table = catalog.freshTable();
        server.arrow(
                        table + "/create",
                        ArrowStreams.of(
                                COLUMNS,
                                List.of(
                                        row(1, "one", 1.5, 10, List.of(0, 0)),
                                        row(2, "two", 2.5, 20, List.of(1, 1)),
                                        row(3, null, null, null, null))))
                .ok();
    }

    private Answer add(String columns) {
        return server.post(table + "/add_columns", "{\"new_columns\":[" + columns + "]}");
    }

    private Answer alter(String alterations) {
        return server.post(table + "/alter_columns", "{\"alterations\":[" + alterations + "]}");
    }

    private Answer drop(String columns) {
        return server.post(table + "/drop_columns", "{\"columns\":[" + columns + "]}");
    }

    private List<Map<String, @Nullable Object>> rows(String more) {
        return ArrowStreams.read(server.post(table + "/query", "{\"k\":1000,\"vector\":[]" + more + "}")
                .ok()
                .bytes());
    }

    private List<@Nullable Object> values(String column) {
        List<@Nullable Object> values = new ArrayList<>();
        rows("").stream()
                .sorted((a, b) -> Long.compare((Long) id(a), (Long) id(b)))
                .forEach(row -> values.add(row.get(column)));
        return values;
    }

    private static Object id(Map<String, @Nullable Object> row) {
        Object id = row.get("id");
        return id == null ? -1L : id;
    }

    private String count(String predicate) {
        return server.post(table + "/count_rows", "{\"predicate\":\"" + predicate + "\"}")
                .ok()
                .text();
    }

    private JsonNode described() {
        return server.post(table + "/describe?load_detailed_metadata=true").ok().json();
    }

    private long version() {
        return described().path("version").longValue();
    }

    private List<String> columns() {
        List<String> names = new ArrayList<>();
        described()
                .at("/schema/fields")
                .forEach(field -> names.add(field.path("name").asString()));
        return names;
    }

    private JsonNode column(String name) {
        for (JsonNode field : described().at("/schema/fields")) {
            if (field.path("name").asString().equals(name)) {
                return field;
            }
        }
        throw new AssertionError("there is no column " + name);
    }

    private String type(String name) {
        return column(name).at("/type/type").asString();
    }

    private String location() {
        return Path.of(URI.create(described().path("location").asString())).toString();
    }

    @Test
    void anExpressionIsComputedForTheRowsThatAreThere() {
        long before = version();
        JsonNode done = add("""
                        {"name":"twice","expression":"size * 2"},
                        {"name":"Shout","expression":"upper(name)"},
                        {"name":"one","expression":"1"}""").ok().json();
        assertThat(done.path("version").longValue()).isEqualTo(before + 1).isEqualTo(version());
        assertThat(columns()).containsExactly("id", "name", "price", "size", "place", "twice", "Shout", "one");
        assertThat(values("twice").toString()).isEqualTo("[20, 40, null]");
        assertThat(values("Shout").toString()).isEqualTo("[ONE, TWO, null]");
        server.arrow(table + "/insert", ArrowStreams.of(List.of(required("id", INT64)), List.of(row(4))))
                .ok();
        assertThat(values("twice").toString()).isEqualTo("[20, 40, null, null]");
        assertThat(count("\\\"Shout\\\" = 'TWO' and twice = 40")).isEqualTo("1");
    }

    @Test
    void deletedRowsAndSeveralFragmentsKeepTheirPlaces() {
        for (int fragment = 0; fragment < 4; fragment++) {
            int from = 100 * (fragment + 1);
            server.arrow(
                            table + "/insert",
                            ArrowStreams.of(
                                    List.of(required("id", INT64), Field.nullable("size", INT32)),
                                    IntStream.range(from, from + 60)
                                            .mapToObj(i -> row(i, i * 3))
                                            .toList()))
                    .ok();
        }
        server.post(
                        table + "/delete",
                        "{\"predicate\":\"id % 7 = 0 or id between 110 and 130 or id > 440 or id = 200\"}")
                .ok();
        server.post(table + "/delete", "{\"predicate\":\"id = 1\"}").ok();
        add("{\"name\":\"same\",\"expression\":\"id * 3\"}").ok();
        assertThat(count("id > 99 and same != size")).isEqualTo("0");
        assertThat(count("same is null")).isEqualTo("0");
        alter("{\"path\":\"size\",\"data_type\":{\"type\":\"utf8\"}}").ok();
        assertThat(count("id > 99 and cast(same as string) != size")).isEqualTo("0");
        assertThat(count("id > 99")).isEqualTo(count("id > 99 and size is not null"));
        assertThat(rows(",\"filter\":\"id > 99\""))
                .allSatisfy(row -> assertThat(row.get("size")).isEqualTo(String.valueOf(3 * (Long) id(row))));
    }

    @Test
    void manyBatchesComeOutInOrder() {
        List<Field> columns = List.of(required("id", INT64), Field.nullable("name", UTF8));
        server.arrow(
                        table + "/insert?mode=overwrite",
                        ArrowStreams.of(
                                columns,
                                IntStream.range(0, 150_000)
                                        .mapToObj(i -> row(i, "n" + i))
                                        .toList()))
                .ok();
        server.post(table + "/delete", "{\"predicate\":\"id between 40000 and 60000\"}")
                .ok();
        add("{\"name\":\"again\",\"expression\":\"concat('n', cast(id as string))\"}")
                .ok();
        assertThat(count("again = name")).isEqualTo(count("true")).isEqualTo("129999");
    }

    @Test
    void emptyTextsAreValuesLikeOthers() {
        add("{\"name\":\"nothing\",\"expression\":\"cast('' as string)\"}").ok();
        assertThat(values("nothing")).containsExactly("", "", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "absent + 1 | 404 | 12",
                "size + | 400 | 13",
                "(select 1) | 400 | 13",
                "size; drop table x | 400 | 13",
                "null | 400 | 13",
                "random() | 400 | 13",
                "count(*) | 400 | 13",
                "row_number() over () | 400 | 13",
            })
    void anExpressionThatIsWrongAddsNothing(String expression, int status, int code) {
        long before = version();
        refused(add("{\"name\":\"bad\",\"expression\":\"" + expression + "\"}"), status, code);
        refused(add("{\"name\":\"bad\",\"computed\":\"" + expression + "\"}"), status, code);
        assertThat(version()).isEqualTo(before);
        assertThat(columns()).doesNotContain("bad");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 / 0", "cast(name as int)", "arrow_cast(size * 100, 'Int8')"})
    void anExpressionThatFailsOnTheDataAddsNothing(String expression) {
        long before = version();
        refused(add("{\"name\":\"bad\",\"expression\":\"" + expression + "\"}"), 400, 13);
        assertThat(version()).isEqualTo(before);
        assertThat(columns()).doesNotContain("bad");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"size\",\"expression\":\"1\"}",
                "{\"name\":\"x\",\"expression\":\"1\"},{\"name\":\"x\",\"computed\":\"2\"}",
                "{\"name\":\"a.b\",\"expression\":\"1\"}",
                "{\"name\":\"a`b\",\"expression\":\"1\"}",
                "{\"name\":\"_rowid\",\"expression\":\"1\"}",
                "{\"name\":\"__row_number\",\"expression\":\"1\"}",
                "{\"name\":\"\",\"expression\":\"1\"}",
                "{\"expression\":\"1\"}",
                "{\"name\":\"x\"}",
                "{\"name\":\"x\",\"expression\":\"1\",\"computed\":\"1\"}",
                "null",
                ""
            })
    void aColumnWithoutAProperNameOrSourceIsRefused(String columns) {
        refused(add(columns), 400, 13);
    }

    @Test
    void aComputedColumnIsDeclaredAndHoldsNullsAndItsBinding() {
        add("{\"name\":\"total\",\"computed\":\"price * size\"}").ok();
        assertThat(values("total").toString()).isEqualTo("[null, null, null]");
        assertThat(type("total")).isEqualTo("float64");
        JsonNode metadata = column("total").path("metadata");
        assertThat(metadata.path("rask:computed").asString()).isEqualTo("price * size");
        assertThat(metadata.path("rask:inputs").asString().lines()).containsExactly("price", "size");
    }

    @Test
    void whatAComputedColumnIsFilledFromStaysUntilItGoes() {
        add("{\"name\":\"total\",\"computed\":\"price * 2\"}").ok();
        assertThat(reason(refused(drop("\"price\""), 409, 19))).contains("total");
        refused(alter("{\"path\":\"price\",\"rename\":\"cost\"}"), 409, 19);
        drop("\"price\",\"total\"").ok();
        assertThat(columns()).containsExactly("id", "name", "size", "place");
    }

    @Test
    void aVirtualColumnKeepsItsDefinitionAndIsRefusedWhereItsFunctionWouldRun() {
        String definition = """
                {"name":"emb","virtual_column":{"input_columns":["name"],"image":"img","udf":"QUJD","udf_name":"f",
                "udf_version":"1","outputs":[{"column":"emb","struct_field":"e","nullable":true,
                "data_type":{"type":"fixed_size_list","length":4,"fields":[{"name":"item","nullable":true,"type":{"type":"float32"}}]},
                "metadata":{"unit":"none"}}]%s}}""";
        refused(add(definition.formatted(",\"auto_backfill\":true")), 501, 0);
        refused(add(definition.formatted("").replace("[\"name\"]", "[\"absent\"]")), 404, 12);
        refused(add(definition.formatted("").replace("\"unit\"", "\"rask:x\"")), 400, 13);
        add(definition.formatted(",\"auto_backfill\":false")).ok();
        assertThat(values("emb").toString()).isEqualTo("[null, null, null]");
        JsonNode metadata = column("emb").path("metadata");
        assertThat(metadata.path("unit").asString()).isEqualTo("none");
        assertThat(metadata.path("rask:virtual").asString()).contains("QUJD").contains("\"udf_name\":\"f\"");
        alter("{\"path\":\"emb\",\"virtual_column\":{\"udf_version\":\"2\",\"input_columns\":[\"price\"]}}")
                .ok();
        metadata = column("emb").path("metadata");
        assertThat(metadata.path("rask:virtual").asString()).contains("QUJD").contains("\"udf_version\":\"2\"");
        assertThat(metadata.path("rask:inputs").asString()).isEqualTo("price");
        refused(alter("{\"path\":\"emb\",\"virtual_column\":{\"auto_backfill\":true}}"), 501, 0);
        refused(alter("{\"path\":\"size\",\"virtual_column\":{\"udf_version\":\"2\"}}"), 400, 13);
    }

    @Test
    void aRenamedColumnKeepsItsPlaceValuesAndIndex() {
        Indices.make(location(), "id", "name", "place");
        long before = version();
        JsonNode done = alter("{\"path\":\"id\",\"rename\":\"Key\"},{\"path\":\"name\",\"rename\":\"label\"}")
                .ok()
                .json();
        assertThat(done.path("version").longValue()).isEqualTo(before + 1);
        assertThat(columns()).containsExactly("Key", "label", "price", "size", "place");
        assertThat(count("\\\"Key\\\" = 2 and label = 'two'")).isEqualTo("1");
        try (Dataset dataset = Dataset.open(location())) {
            assertThat(dataset.listIndexes()).containsExactlyInAnyOrder("id_idx", "name_idx", "place_idx");
        }
    }

    @Test
    void twoColumnsCanSwapTheirNames() {
        alter("{\"path\":\"name\",\"rename\":\"size\"},{\"path\":\"size\",\"rename\":\"name\"}")
                .ok();
        assertThat(columns()).containsExactly("id", "size", "price", "name", "place");
        assertThat(values("size").toString()).isEqualTo("[one, two, null]");
        assertThat(values("name").toString()).isEqualTo("[10, 20, null]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "size | {\"type\":\"int64\"} | int64 | [10, 20, null]",
                "size | {\"type\":\"int8\"} | int8 | [10, 20, null]",
                "size | {\"type\":\"float64\"} | float64 | [10.0, 20.0, null]",
                "size | {\"type\":\"string\"} | utf8 | [10, 20, null]",
                "size | {\"type\":\"decimal128\",\"length\":10002} | decimal128 | [10.00, 20.00, null]",
                "size | {\"type\":\"decimal:128:10:2\"} | decimal128 | [10.00, 20.00, null]",
                "price | {\"type\":\"float\"} | float32 | [1.5, 2.5, null]",
                "price | {\"type\":\"large_utf8\"} | large_utf8 | [1.5, 2.5, null]",
                "name | {\"type\":\"large_string\"} | large_utf8 | [one, two, null]",
                "id | {\"type\":\"int32\"} | int32 | [1, 2, 3]",
                "id | {\"type\":\"timestamp:us:UTC\"} | timestamp | [1, 2, 3]",
            })
    void aNewTypeCastsTheValuesInPlace(String column, String type, String told, String values) {
        List<String> before = columns();
        boolean nullable = column(column).path("nullable").booleanValue();
        server.post(
                        table + "/update_field_metadata",
                        "{\"updates\":[{\"path\":\"" + column + "\",\"metadata\":{\"unit\":\"u\"}}]}")
                .ok();
        long version = version();
        JsonNode done = alter("{\"path\":\"" + column + "\",\"data_type\":" + type + "}")
                .ok()
                .json();
        assertThat(done.path("version").longValue()).isEqualTo(version + 1).isEqualTo(version());
        assertThat(columns()).isEqualTo(before);
        assertThat(type(column)).isEqualTo(told);
        assertThat(column(column).path("nullable").booleanValue()).isEqualTo(nullable);
        assertThat(column(column).at("/metadata/unit").asString()).isEqualTo("u");
        List<@Nullable Object> found = column.equals("id")
                ? rows("").stream().map(row -> row.get("id")).toList()
                : values(column);
        assertThat(found.toString()).isEqualTo(values);
        assertThat(server.post(table + "/count_rows", "{\"version\":" + version + "}")
                        .ok()
                        .text())
                .isEqualTo("3");
    }

    @Test
    void aVectorColumnIsCastAsAWhole() {
        alter("{\"path\":\"place\",\"data_type\":{\"type\":\"fixed_size_list:double:2\"}}")
                .ok();
        assertThat(values("place").toString()).isEqualTo("[[0.0,0.0], [1.0,1.0], null]");
        JsonNode nearest = server.post(
                        table + "/explain_plan",
                        "{\"query\":{\"k\":1,\"vector\":{\"single_vector\":[1,1]},\"vector_column\":\"place\"}}")
                .ok()
                .json();
        assertThat(nearest.asString()).isNotBlank();
        alter(
                        "{\"path\":\"place\",\"data_type\":{\"type\":\"list\",\"fields\":[{\"name\":\"item\",\"type\":{\"type\":\"float32\"}}]}}")
                .ok();
        assertThat(values("place").toString()).isEqualTo("[[0.0,0.0], [1.0,1.0], null]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name | {\"type\":\"int32\"} | 400 | 13",
                "size | {\"type\":\"no_such\"} | 400 | 13",
                "size | {\"type\":\"struct\",\"fields\":[{\"name\":\"a\",\"type\":{\"type\":\"int32\"}}]} | 400 | 13",
                "size | {\"type\":\"null\"} | 400 | 13",
                "size | {\"type\":\"fixed_size_list\",\"length\":0,\"fields\":[{\"name\":\"item\",\"type\":{\"type\":\"float32\"}}]} | 400 | 20",
                "size | {} | 400 | 13",
                "size | {\"type\":\"decimal128\"} | 400 | 13",
                "absent | {\"type\":\"int32\"} | 404 | 12",
                "size.a | {\"type\":\"int32\"} | 404 | 12",
                "`size | {\"type\":\"int32\"} | 400 | 13",
                "place.item | {\"type\":\"float64\"} | 400 | 13",
            })
    void aCastThatCannotBeLeavesTheTableAsItWas(String column, String type, int status, int code) {
        long before = version();
        JsonNode schema = described().path("schema");
        refused(alter("{\"path\":\"" + column + "\",\"data_type\":" + type + "}"), status, code);
        assertThat(version()).isEqualTo(before);
        assertThat(described().path("schema")).isEqualTo(schema);
    }

    @Test
    void aValueTooLargeForTheNewTypeRefusesTheCast() {
        server.post(table + "/update", "{\"predicate\":\"id = 2\",\"updates\":[[\"size\",\"70000\"]]}")
                .ok();
        refused(alter("{\"path\":\"size\",\"data_type\":{\"type\":\"int16\"}}"), 400, 13);
        assertThat(values("size").toString()).isEqualTo("[10, 70000, null]");
    }

    @Test
    void aColumnCanBeCastAgainAndAgain() {
        for (String type : List.of("int64", "utf8", "int32", "float64", "int64")) {
            alter("{\"path\":\"size\",\"data_type\":{\"type\":\"" + type + "\"}}")
                    .ok();
        }
        assertThat(values("size").toString()).isEqualTo("[10, 20, null]");
        long version = version();
        assertThat(alter("{\"path\":\"size\",\"data_type\":{\"type\":\"int64\"}}")
                        .ok()
                        .json()
                        .path("version")
                        .longValue())
                .isEqualTo(version);
    }

    @Test
    void theIndexOfACastColumnIsNotedAndTheOthersStay() {
        Indices.make(location(), "size", "name", "place");
        // There is no such index of lists, so nobody makes it anew.
        alter("{\"path\":\"place\",\"data_type\":{\"type\":\"list\",\"fields\":[{\"name\":\"item\","
                        + "\"nullable\":true,\"type\":{\"type\":\"float\"}}]}}")
                .ok();
        assertThat(column("place").at("/metadata/rask:lost-indices").asString())
                .contains("place_idx")
                .containsIgnoringCase("ivf_flat");
        assertThat(column("name").has("metadata")).isFalse();
        try (Dataset dataset = Dataset.open(location())) {
            assertThat(dataset.listIndexes()).containsExactlyInAnyOrder("name_idx", "size_idx");
        }
        assertThat(count("size = 20")).isEqualTo("1");
    }

    @Test
    void whetherAColumnMayBeNullChangesWithItsValuesInMind() {
        refused(alter("{\"path\":\"name\",\"nullable\":false}"), 400, 13);
        server.post(table + "/delete", "{\"predicate\":\"id = 3\"}").ok();
        alter("{\"path\":\"name\",\"nullable\":false},{\"path\":\"id\",\"nullable\":true}")
                .ok();
        assertThat(column("name").path("nullable").booleanValue()).isFalse();
        assertThat(column("id").path("nullable").booleanValue()).isTrue();
        refused(
                server.arrow(
                        table + "/insert",
                        ArrowStreams.of(
                                List.of(Field.nullable("id", INT64), Field.nullable("name", UTF8)),
                                List.of(row(4, null)))),
                400,
                13);
        assertThat(values("name").toString()).isEqualTo("[one, two]");
    }

    @Test
    void nameTypeAndNullabilityChangeInOneStep() {
        long before = version();
        server.post(table + "/delete", "{\"predicate\":\"id = 3\"}").ok();
        alter("""
                        {"path":"size","rename":"amount","data_type":{"type":"utf8"},"nullable":false},
                        {"path":"price","rename":"size"}""").ok();
        assertThat(version()).isEqualTo(before + 2);
        assertThat(columns()).containsExactly("id", "name", "size", "amount", "place");
        assertThat(values("amount").toString()).isEqualTo("[10, 20]");
        assertThat(values("size").toString()).isEqualTo("[1.5, 2.5]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"path\":\"size\",\"rename\":\"name\"}",
                "{\"path\":\"size\",\"rename\":\"a.b\"}",
                "{\"path\":\"size\",\"rename\":\"\"}",
                "{\"path\":\"size\",\"rename\":\"_rowid\"}",
                "{\"path\":\"size\"}",
                "{\"path\":\"\",\"rename\":\"x\"}",
                "{\"rename\":\"x\"}",
                "{\"path\":\"size\",\"rename\":\"x\"},{\"path\":\"size\",\"rename\":\"y\"}",
                "{\"path\":\"size\",\"rename\":\"x\"},{\"path\":\"price\",\"rename\":\"x\"}",
                ""
            })
    void aChangeThatMakesNoSenseIsRefused(String alterations) {
        long before = version();
        refused(alter(alterations), 400, 13);
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void droppedColumnsAreGoneAndTheirNamesFree() {
        Indices.make(location(), "size", "name", "place");
        long before = version();
        JsonNode done = drop("\"size\",\"name\"").ok().json();
        assertThat(done.path("version").longValue()).isEqualTo(before + 1);
        assertThat(done.path("transaction_id").asString()).isNotBlank();
        assertThat(columns()).containsExactly("id", "price", "place");
        try (Dataset dataset = Dataset.open(location())) {
            assertThat(dataset.listIndexes()).containsExactly("place_idx");
        }
        add("{\"name\":\"size\",\"expression\":\"'new'\"}").ok();
        assertThat(values("size").toString()).isEqualTo("[new, new, new]");
        refused(drop("\"absent\""), 404, 12);
        refused(drop("\"id\",\"price\",\"place\",\"size\""), 400, 13);
        refused(drop(""), 400, 13);
        refused(drop("null"), 400, 13);
        refused(drop("\"\""), 400, 13);
        refused(drop("\"place.item\""), 400, 13);
        assertThat(columns()).containsExactly("id", "price", "place", "size");
    }

    @Test
    void fieldsInsideStructsAreReachedByTheirPaths() {
        add("{\"name\":\"s\",\"expression\":\"named_struct('a', size, 'b.c', name, 'd', named_struct('e', price))\"}")
                .ok();
        alter("{\"path\":\"s.`b.c`\",\"rename\":\"b\"},{\"path\":\"s.d.e\",\"rename\":\"E\"}")
                .ok();
        assertThat(rows(",\"columns\":[\"s.b\",\"s.d.E\"],\"filter\":\"s.b = 'two'\""))
                .hasSize(1);
        alter("{\"path\":\"s.a\",\"data_type\":{\"type\":\"utf8\"}}").ok();
        assertThat(column("s").at("/type/fields/0/type/type").asString()).isEqualTo("utf8");
        assertThat(column("s").at("/type/fields/2/type/fields/0/name").asString())
                .isEqualTo("E");
        assertThat(count("s.a = '20' and s.b = 'two' and s.d.`E` = 2.5")).isEqualTo("1");
        server.post(table + "/update_field_metadata", "{\"updates\":[{\"path\":\"s.a\",\"metadata\":{\"k\":\"v\"}}]}")
                .ok();
        drop("\"s.b\",\"s.d\"").ok();
        assertThat(column("s").at("/type/fields")).hasSize(1);
        assertThat(column("s").at("/type/fields/0/metadata/k").asString()).isEqualTo("v");
        refused(drop("\"s.a\""), 400, 13);
        assertThat(count("s.a = '20'")).isEqualTo("1");
    }

    @Test
    void aTableOfOneColumnAndOneWithoutRowsCanBeCast() {
        server.arrow(table + "/insert?mode=overwrite", ArrowStreams.longs("id", 7, 8))
                .ok();
        alter("{\"path\":\"id\",\"data_type\":{\"type\":\"utf8\"}}").ok();
        assertThat(rows("")).isEqualTo(List.of(Map.of("id", "7"), Map.of("id", "8")));
        server.post(table + "/delete", "{\"predicate\":\"true\"}").ok();
        alter("{\"path\":\"id\",\"data_type\":{\"type\":\"int32\"}}").ok();
        add("{\"name\":\"x\",\"expression\":\"id + 1\"}").ok();
        assertThat(columns()).containsExactly("id", "x");
        assertThat(rows("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBranchInBodyOrQueryIsTheOneThatChanges(boolean inBody) {
        try (Dataset main = Dataset.open(location());
                Dataset branch = main.createBranch("dev/x", Ref.ofMain())) {
            assertThat(branch.countRows()).isEqualTo(3);
        }
        long before = version();
        JsonNode schema = described().path("schema");
        String query = inBody ? "" : "?branch=dev%2Fx";
        String body = inBody ? ",\"branch\":\"dev/x\"}" : "}";
        server.post(
                        table + "/add_columns" + query,
                        "{\"new_columns\":[{\"name\":\"t\",\"expression\":\"size * 2\"}]" + body)
                .ok();
        server.post(
                        table + "/alter_columns" + query,
                        "{\"alterations\":[{\"path\":\"size\",\"data_type\":{\"type\":\"utf8\"},\"rename\":\"z\"}]"
                                + body)
                .ok();
        server.post(table + "/drop_columns" + query, "{\"columns\":[\"price\"]" + body)
                .ok();
        server.post(
                        table + "/update_field_metadata" + query,
                        "{\"updates\":[{\"path\":\"z\",\"metadata\":{\"k\":\"v\"}}]" + body)
                .ok();
        server.post(table + "/schema_metadata/update?branch=dev%2Fx", "{\"k\":\"v\"}")
                .ok();
        assertThat(version()).isEqualTo(before);
        assertThat(described().path("schema")).isEqualTo(schema);
        JsonNode branch = server.post(table + "/describe?load_detailed_metadata=true", "{\"branch\":\"dev/x\"}")
                .ok()
                .json();
        assertThat(branch.at("/schema/fields").toString()).contains("\"z\"").doesNotContain("price");
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev/x\",\"predicate\":\"z = '20' and t = 40\"}")
                        .ok()
                        .text())
                .isEqualTo("1");
        for (String operation : List.of("add_columns", "alter_columns", "drop_columns", "update_field_metadata")) {
            String absent = """
                    {"branch":"absent","new_columns":[{"name":"y","expression":"1"}],"alterations":[{"path":"id","rename":"y"}],
                    "columns":["id"],"updates":[{"path":"id","metadata":{"k":"v"}}]}""";
            refused(server.post(table + "/" + operation, absent), 404, 22);
            refused(server.post(table + "/" + operation + "?branch=main", absent), 404, 22);
        }
        refused(server.post(table + "/schema_metadata/update?branch=absent", "{\"k\":\"v\"}"), 404, 22);
    }

    @Test
    void aDeclaredTableHasNoColumnsToChange() {
        String declared = catalog.freshTable();
        server.post(declared + "/declare").ok();
        refused(
                server.post(declared + "/add_columns", "{\"new_columns\":[{\"name\":\"y\",\"expression\":\"1\"}]}"),
                409,
                19);
        refused(server.post(declared + "/drop_columns", "{\"columns\":[\"y\"]}"), 409, 19);
        refused(server.post(declared + "/schema_metadata/update", "{\"a\":\"b\"}"), 409, 19);
        refused(server.post(catalog.freshTable() + "/drop_columns", "{\"columns\":[\"y\"]}"), 404, 4);
    }
}
