package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.ArrowStreams.BOOL;
import static io.rask.catalog.testing.ArrowStreams.DOUBLE;
import static io.rask.catalog.testing.ArrowStreams.FLOAT;
import static io.rask.catalog.testing.ArrowStreams.INT32;
import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.required;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What happens to rows. */
@ExtendWith(SharedCatalog.Provider.class)
class RowBehaviourTest {
    private static final List<Field> COLUMNS = List.of(
            required("id", INT64),
            Field.nullable("name", UTF8),
            Field.nullable("price", DOUBLE),
            Field.nullable("size", INT32),
            vector("place", 2));

    private final RunningServer server;
    private final String table;

    RowBehaviourTest(SharedCatalog catalog) {
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

    private Answer insert(List<Field> columns, List<? extends @Nullable Object>... rows) {
        return server.arrow(table + "/insert", ArrowStreams.of(columns, Arrays.asList(rows)));
    }

    private String count(String predicate) {
        return server.post(
                        table + "/count_rows", JsonMapper.shared().writeValueAsString(Map.of("predicate", predicate)))
                .ok()
                .text();
    }

    private long version() {
        return server.post(table + "/describe").ok().json().path("version").longValue();
    }

    @Test
    void anInsertSaysHowManyRowsItAddedAndTheVersionItMade() {
        JsonNode done = insert(COLUMNS, row(4, "four", 4.5, 40, List.of(4, 4)), row(5, "five", 5.5, 50, List.of(5, 5)))
                .ok()
                .json();
        assertThat(done.path("num_inserted_rows").longValue()).isEqualTo(2);
        assertThat(done.path("version").longValue()).isEqualTo(2).isEqualTo(version());
        assertThat(count("id > 3")).isEqualTo("2");
    }

    @Test
    void anInsertOfNoRowsAddsNone() {
        JsonNode done = insert(COLUMNS).ok().json();
        assertThat(done.path("num_inserted_rows").longValue()).isZero();
        assertThat(done.path("version").longValue()).isEqualTo(version());
        assertThat(count("true")).isEqualTo("3");
    }

    @Test
    void numbersThatFitAreTakenInAnotherType() {
        List<Field> narrow = List.of(
                Field.nullable("id", INT32),
                Field.nullable("price", FLOAT),
                Field.nullable("size", INT64),
                Field.nullable("name", new ArrowType.LargeUtf8()));
        JsonNode done = insert(narrow.subList(0, 3), row(4, 4.25, 40), row(5, 5.25, -50))
                .ok()
                .json();
        assertThat(done.path("num_inserted_rows").longValue()).isEqualTo(2);
        assertThat(count("id = 5 and price = 5.25 and size = -50")).isEqualTo("1");
        insert(List.of(Field.nullable("id", new ArrowType.Int(8, false))), row(200))
                .ok();
        assertThat(count("id = 200")).isEqualTo("1");
    }

    @Test
    void columnsAreFoundByNameWhateverTheirOrder() {
        List<Field> turned = List.of(COLUMNS.get(3), COLUMNS.get(2), COLUMNS.get(1), COLUMNS.get(0), COLUMNS.get(4));
        insert(turned, row(40, 4.5, "four", 4, List.of(4, 4))).ok();
        assertThat(count("id = 4 and size = 40 and name = 'four'")).isEqualTo("1");
    }

    @Test
    void aMissingColumnThatMayBeNullIsFilledWithNull() {
        insert(List.of(required("id", INT64)), row(4)).ok();
        assertThat(count("id = 4 and name is null and price is null and size is null and place is null"))
                .isEqualTo("1");
        byte[] file = server.post(table + "/query", "{\"k\":10,\"vector\":{},\"filter\":\"id = 4\"}")
                .ok()
                .bytes();
        assertThat(ArrowStreams.read(file)).singleElement().satisfies(row -> {
            assertThat(row).containsEntry("id", 4L).containsEntry("name", null).containsEntry("place", null);
        });
    }

    static Stream<Arguments> streamsThatDoNotFit() {
        List<Field> withoutId = List.of(Field.nullable("name", UTF8));
        List<Field> unknown = List.of(required("id", INT64), Field.nullable("colour", UTF8));
        return Stream.of(
                Arguments.of("a missing required column", "id", withoutId, row("x")),
                Arguments.of("an unknown column", "colour", unknown, row(4, "red")),
                Arguments.of(
                        "a null in a required column", "id", List.of(Field.nullable("id", INT64)), row((Object) null)),
                Arguments.of("text for a number", "size", idAnd("size", UTF8), row(4, "40")),
                Arguments.of("a number for text", "name", idAnd("name", INT64), row(4, 40)),
                Arguments.of("a boolean for a number", "price", idAnd("price", BOOL), row(4, true)),
                Arguments.of("a number too large", "size", idAnd("size", INT64), row(4, 1L << 40)),
                Arguments.of("a fraction for an integer", "size", idAnd("size", DOUBLE), row(4, 4.5)),
                Arguments.of("a scalar for a vector", "place", idAnd("place", FLOAT), row(4, 4.5)),
                Arguments.of(
                        "a vector of three for one of two",
                        "place",
                        List.of(required("id", INT64), vector("place", 3)),
                        row(4, List.of(1, 2, 3))),
                Arguments.of("a column twice", "id", List.of(required("id", INT64), required("id", INT64)), row(4, 4)));
    }

    private static List<Field> idAnd(String column, ArrowType type) {
        return List.of(required("id", INT64), Field.nullable(column, type));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("streamsThatDoNotFit")
    void aStreamThatDoesNotFitIsRefusedAndNamesTheColumn(
            String what, String column, List<Field> columns, List<@Nullable Object> bad) {
        Answer answer = server.arrow(table + "/insert", ArrowStreams.of(columns, List.of(bad)));
        assertThat(answer.code()).as(answer.text()).isIn(13, 20);
        assertThat(reason(refused(answer, 400, answer.code()))).contains("'" + column + "'");
        assertThat(version()).isEqualTo(1);
        assertThat(count("true")).isEqualTo("3");
    }

    @Test
    void aBadRowAfterGoodOnesCommitsNone() {
        Answer answer = insert(idAnd("size", INT64), row(4, 4), row(5, 5), row(6, Long.MAX_VALUE));
        assertThat(reason(refused(answer, 400, answer.code()))).contains("'size'");
        assertThat(version()).isEqualTo(1);
        assertThat(count("true")).isEqualTo("3");
    }

    @Test
    void appendsKeepEveryVersionBefore() {
        for (int i = 0; i < 5; i++) {
            insert(COLUMNS.subList(0, 1), row(10 + i)).ok();
        }
        for (int version = 1; version <= 6; version++) {
            assertThat(server.post(table + "/count_rows", "{\"version\":" + version + "}")
                            .ok()
                            .text())
                    .isEqualTo(String.valueOf(2 + version));
        }
    }

    @Test
    void overwritingByInsertIsANewVersionOfTheSameTable() {
        String location =
                server.post(table + "/describe").ok().json().path("location").asString();
        JsonNode done = server.arrow(table + "/insert?mode=Overwrite", ArrowStreams.longs("key", 7))
                .ok()
                .json();
        assertThat(done.path("num_inserted_rows").longValue()).isEqualTo(1);
        assertThat(done.path("version").longValue()).isEqualTo(2);
        JsonNode told = server.post(table + "/describe").ok().json();
        assertThat(told.path("location").asString()).isEqualTo(location);
        assertThat(told.path("schema").path("fields")).hasSize(1);
        assertThat(server.post(table + "/count_rows", "{\"version\":1}").ok().text())
                .isEqualTo("3");
        assertThat(count("key = 7")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"merge", "create", "overwritten", "append,overwrite", ""})
    void anUnknownInsertModeIsRefused(String mode) {
        refused(server.arrow(table + "/insert?mode=" + mode, Rows.THREE), 400, 13);
        assertThat(version()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id > 1                        | 2",
                "true                          | 3",
                "false                         | 0",
                "name = 'one'                  | 1",
                "name is null                  | 1",
                "price * 2 >= 5 and size < 21  | 1",
                "\"id\" = 1 or `id` = 3        | 2",
                "name like 't%'                | 1",
                "id in (1, 3, 99)              | 2"
            })
    void aCountHonoursItsPredicate(String predicate, String expected) {
        assertThat(count(predicate)).isEqualTo(expected);
    }

    @Test
    void countAndQueryHonourTheVersion() {
        insert(COLUMNS.subList(0, 1), row(4)).ok();
        assertThat(server.post(table + "/count_rows", "{\"version\":1,\"predicate\":\"id > 1\"}")
                        .ok()
                        .text())
                .isEqualTo("2");
        assertThat(count("id > 1")).isEqualTo("3");
        String query = "{\"k\":100,\"vector\":{},\"filter\":\"id > 1\"";
        assertThat(ArrowStreams.read(server.post(table + "/query", query + ",\"version\":1}")
                        .ok()
                        .bytes()))
                .hasSize(2);
        assertThat(ArrowStreams.read(
                        server.post(table + "/query", query + "}").ok().bytes()))
                .hasSize(3);
    }

    /** A branch made of version 1, which another tool has made; this server makes none yet. */
    private void makeBranch(String name) {
        String location =
                server.post(table + "/describe").ok().json().path("location").asString();
        try (Dataset dataset = Dataset.open(Path.of(URI.create(location)).toString());
                Dataset made = dataset.createBranch(name, Ref.ofMain(1))) {
            assertThat(made.countRows()).isEqualTo(3);
        }
    }

    @Test
    void aBranchIsReadAndWrittenApartFromMain() {
        makeBranch("dev");
        JsonNode done = server.arrow(
                        table + "/insert?branch=dev", ArrowStreams.of(COLUMNS.subList(0, 1), List.of(row(4), row(5))))
                .ok()
                .json();
        assertThat(done.path("num_inserted_rows").longValue()).isEqualTo(2);
        assertThat(count("true")).isEqualTo("3");
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev\"}")
                        .ok()
                        .text())
                .isEqualTo("5");
        server.post(table + "/delete", "{\"branch\":\"dev\",\"predicate\":\"id = 1\"}")
                .ok();
        server.post(table + "/update", "{\"branch\":\"dev\",\"updates\":[[\"size\",\"7\"]]}")
                .ok();
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev\",\"predicate\":\"size = 7\"}")
                        .ok()
                        .text())
                .isEqualTo("4");
        assertThat(ArrowStreams.read(server.post(
                                table + "/query", "{\"k\":9,\"vector\":{},\"branch\":\"dev\",\"filter\":\"size = 7\"}")
                        .ok()
                        .bytes()))
                .hasSize(4);
        assertThat(count("size = 7")).isEqualTo("0");
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void aFailureOnABranchHasTheCodeItHasOnMain() {
        makeBranch("dev");
        for (String branch : List.of("", "\"branch\":\"dev\",")) {
            refused(server.post(table + "/describe", "{" + branch + "\"version\":99}"), 404, 11);
            refused(server.post(table + "/count_rows", "{" + branch + "\"version\":99}"), 404, 11);
            refused(server.post(table + "/count_rows", "{" + branch + "\"predicate\":\"colour = 1\"}"), 404, 12);
            refused(server.post(table + "/count_rows", "{" + branch + "\"predicate\":\"id =\"}"), 400, 13);
            refused(server.post(table + "/delete", "{" + branch + "\"predicate\":\"colour = 1\"}"), 404, 12);
            refused(server.post(table + "/update", "{" + branch + "\"updates\":[[\"colour\",\"1\"]]}"), 404, 12);
            refused(
                    server.post(table + "/query", "{" + branch + "\"k\":1,\"vector\":{},\"filter\":\"colour = 1\"}"),
                    404,
                    12);
        }
        for (String query : List.of("", "?branch=dev")) {
            refused(server.arrow(table + "/insert" + query, ArrowStreams.longs("colour", 1)), 400, 20);
            refused(server.arrow(table + "/insert" + query, new byte[9]), 400, 13);
        }
    }

    @Test
    void aQueryGivesAsManyRowsAsItAsksFor() {
        String query = "{\"vector\":{},\"columns\":{\"column_names\":[\"id\"]},\"k\":";
        for (String[] asked : new String[][] {{"1", "1"}, {"3", "3"}, {"4", "3"}, {"9223372036854775807", "3"}}) {
            assertThat(ArrowStreams.read(server.post(table + "/query", query + asked[0] + "}")
                            .ok()
                            .bytes()))
                    .hasSize(Integer.parseInt(asked[1]));
        }
        refused(server.post(table + "/query", query + "-1}"), 400, 13);
    }

    @Test
    void anUpdateChangesTheRowsItsPredicateNamesAndSaysHowMany() {
        JsonNode done = server.post(
                        table + "/update",
                        "{\"predicate\":\"id <= 2\",\"updates\":[[\"price\",\"price * 2\"],[\"name\",\"'x'\"]]}")
                .ok()
                .json();
        assertThat(done.path("updated_rows").longValue()).isEqualTo(2);
        assertThat(done.path("rows_updated").longValue()).isEqualTo(2);
        assertThat(done.path("version").longValue()).isEqualTo(version());
        assertThat(count("name = 'x' and price in (3.0, 5.0)")).isEqualTo("2");
        assertThat(count("id = 3 and name is null")).isEqualTo("1");
        assertThat(server.post(table + "/count_rows", "{\"version\":1,\"predicate\":\"name = 'one'\"}")
                        .ok()
                        .text())
                .isEqualTo("1");
    }

    @Test
    void anUpdateWithoutAPredicateChangesEveryRow() {
        assertThat(server.post(table + "/update", "{\"updates\":[[\"size\",\"7\"]]}")
                        .ok()
                        .json()
                        .path("updated_rows")
                        .longValue())
                .isEqualTo(3);
        assertThat(count("size = 7")).isEqualTo("3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                    | 13",
                "{\"updates\":[]}                                      | 13",
                "{\"updates\":null}                                    | 13",
                "{\"updates\":[[]]}                                    | 13",
                "{\"updates\":[[\"size\"]]}                            | 13",
                "{\"updates\":[[\"size\",\"1\",\"2\"]]}                | 13",
                "{\"updates\":[[\"size\",null]]}                       | 13",
                "{\"updates\":[null]}                                  | 13",
                "{\"updates\":\"size=1\"}                              | 13",
                "{\"updates\":[[\"size\",\"1\"],[\"size\",\"2\"]]}     | 13",
                "{\"updates\":[[\"colour\",\"1\"]]}                    | 12",
                "{\"updates\":[[\"size\",\"colour\"]]}                 | 12",
                "{\"updates\":[[\"size\",\"1 +\"]]}                    | 13",
                "{\"updates\":[[\"size\",\"'text'\"]]}                 | 13",
                "{\"updates\":[[\"size\",\"1\"]],\"predicate\":\"id =\"}     | 13",
                "{\"updates\":[[\"size\",\"1\"]],\"predicate\":\"colour=1\"} | 12",
                "{\"updates\":[[\"size\",\"1\"]],\"predicate\":\"size+1\"}   | 13",
                "{\"updates\":[[\"id\",\"null\"]]}                     | 13"
            })
    void anUpdateThatCannotBeIsRefusedAndChangesNothing(String body, int code) {
        refused(server.post(table + "/update", body), code == 12 ? 404 : 400, code);
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void aDeleteRemovesTheRowsItsPredicateNamesAndSaysHowMany() {
        JsonNode done = server.post(table + "/delete", "{\"predicate\":\"id = 2\"}")
                .ok()
                .json();
        assertThat(done.path("num_deleted_rows").longValue()).isEqualTo(1);
        assertThat(done.path("version").longValue()).isEqualTo(2).isEqualTo(version());
        assertThat(count("true")).isEqualTo("2");
        assertThat(server.post(table + "/count_rows", "{\"version\":1}").ok().text())
                .isEqualTo("3");
        server.post(table + "/delete", "{\"predicate\":\"true\"}").ok();
        assertThat(count("true")).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                              | 13",
                "                                | 13",
                "{\"predicate\":null}            | 13",
                "{\"predicate\":\"\"}            | 13",
                "{\"predicate\":\"  \"}          | 13",
                "{\"predicate\":7}               | 13",
                "{\"predicate\":\"id =\"}        | 13",
                "{\"predicate\":\"colour = 1\"}  | 12",
                "{\"predicate\":\"id; drop\"}    | 13",
                "{\"predicate\":\"name\"}        | 13"
            })
    void aDeleteThatCannotBeIsRefusedAndRemovesNothing(@Nullable String body, int code) {
        refused(server.post(table + "/delete", body == null ? "" : body), code == 12 ? 404 : 400, code);
        assertThat(version()).isEqualTo(1);
        assertThat(count("true")).isEqualTo("3");
    }
}
