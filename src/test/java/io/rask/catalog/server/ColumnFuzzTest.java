package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

/** Random expressions and types: the server refuses or obeys, and lives. */
@ExtendWith(SharedCatalog.Provider.class)
class ColumnFuzzTest {
    private static final int ROUNDS = 400;
    private static final List<String> ATOMS = List.of(
            "a",
            "b",
            "c",
            "\"A b\"",
            "absent",
            "1",
            "-1",
            "0",
            "1e308",
            "9223372036854775807",
            "18446744073709551616",
            "''",
            "'x'",
            "null",
            "true",
            "0.1",
            "date '2020-01-01'",
            "interval '1 month'",
            "timestamp '2020-01-01 00:00:00'",
            "make_array(a, 1)",
            "make_array()",
            "named_struct('p', a)",
            "now()",
            "pi()",
            "$$x$$",
            "?",
            "x'00'",
            "c.d");
    private static final List<String> FUNCTIONS = List.of(
            "abs",
            "upper",
            "concat",
            "coalesce",
            "cast",
            "arrow_cast",
            "nullif",
            "round",
            "substr",
            "repeat",
            "lpad",
            "generate_series",
            "array_resize",
            "array_element",
            "date_trunc",
            "to_timestamp",
            "regexp_match",
            "sum",
            "lag",
            "uuid",
            "version",
            "md5",
            "struct",
            "get_field",
            "power",
            "to_hex",
            "chr",
            "decode",
            "date_bin",
            "json_get");
    private static final List<String> OPERATORS = List.of(
            "+",
            "-",
            "*",
            "/",
            "%",
            "||",
            "=",
            "<",
            "and",
            "or",
            "is distinct from",
            "like",
            "in",
            "::",
            ".",
            ",",
            ";",
            "--");
    private static final List<String> TYPES = List.of(
            "int8",
            "uint64",
            "float16",
            "decimal128",
            "decimal:256:76:76",
            "timestamp:ns:+25:99",
            "timestamp:us:Europe/Berlin",
            "time32:ns",
            "date32:day",
            "fixed_size_binary",
            "fixed_size_list",
            "list",
            "struct",
            "map",
            "dict:string:int8:false",
            "utf8_view",
            "interval",
            "union",
            "null",
            "",
            "string",
            "bool",
            "duration:s",
            "large_binary");

    private final SharedCatalog catalog;
    private final RunningServer server;

    ColumnFuzzTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    private static String expression(Random random, int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return pick(random, ATOMS);
        }
        return switch (random.nextInt(5)) {
            case 0 ->
                pick(random, FUNCTIONS) + "("
                        + IntStream.range(0, random.nextInt(4))
                                .mapToObj(i -> expression(random, depth - 1))
                                .collect(Collectors.joining(", "))
                        + ")";
            case 1 -> "(" + expression(random, depth - 1) + ")";
            case 2 ->
                "case when " + expression(random, depth - 1) + " then " + expression(random, depth - 1) + " else "
                        + expression(random, depth - 1) + " end";
            case 3 ->
                "cast(" + expression(random, depth - 1) + " as "
                        + pick(random, List.of("int", "string", "double", "timestamp", "no")) + ")";
            default ->
                expression(random, depth - 1) + " " + pick(random, OPERATORS) + " " + expression(random, depth - 1);
        };
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static Object type(Random random, int depth) {
        String name = pick(random, TYPES);
        return switch (random.nextInt(4)) {
            case 0 -> Map.of("type", name);
            case 1 ->
                Map.of("type", name, "length", pick(random, List.of(0, 1, 2, -1, 38038, Long.MAX_VALUE, 1.5, "2")));
            case 2 ->
                Map.of(
                        "type",
                        name,
                        "length",
                        2,
                        "fields",
                        depth == 0
                                ? List.of()
                                : List.of(Map.of(
                                        "name",
                                        "item",
                                        "nullable",
                                        random.nextBoolean(),
                                        "type",
                                        type(random, depth - 1))));
            default -> name;
        };
    }

    @Test
    void randomExpressionsAndTypesAreObeyedOrRefused() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String table = catalog.freshTable();
        byte[] rows = ArrowStreams.of(
                List.of(
                        Field.nullable("a", ArrowStreams.INT64),
                        Field.nullable("b", ArrowStreams.UTF8),
                        Field.nullable("c", ArrowStreams.DOUBLE),
                        Field.nullable("A b", ArrowStreams.BOOL)),
                List.of(ArrowStreams.row(1, "x", 0.5, true), ArrowStreams.row(null, null, null, null)));
        server.arrow(table + "/create", rows).ok();
        int obeyed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            boolean add = random.nextInt(3) > 0;
            String body = JsonMapper.shared()
                    .writeValueAsString(
                            add
                                    ? Map.of(
                                            "new_columns",
                                            List.of(Map.of(
                                                    "name",
                                                    "x" + round,
                                                    random.nextBoolean() ? "expression" : "computed",
                                                    expression(random, 4))))
                                    : Map.of(
                                            "alterations",
                                            List.of(Map.of(
                                                    "path",
                                                    pick(random, List.of("a", "b", "c", "`A b`", "A b", "a.b", "`")),
                                                    "data_type",
                                                    type(random, 2)))));
            Answer answer = server.post(table + (add ? "/add_columns" : "/alter_columns"), body);
            assertThat(answer.status())
                    .as("seed %d round %d: %s -> %s", seed, round, body, answer.text())
                    .isIn(200, 400, 404);
            if (answer.status() == 200) {
                obeyed++;
                assertThat(server.post(table + "/query", "{\"k\":10,\"vector\":[]}")
                                .status())
                        .as("seed %d round %d: %s", seed, round, body)
                        .isEqualTo(200);
                if (round % 5 == 0) {
                    table = again(rows);
                }
            }
        }
        assertThat(obeyed).as("seed %d", seed).isPositive();
    }

    private String again(byte[] rows) {
        String table = catalog.freshTable();
        server.arrow(table + "/create", rows).ok();
        return table;
    }
}
