package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Values of every type, from a table through the engine into a view. */
@ExtendWith(SharedCatalog.Provider.class)
class ViewTypesTest {
    private static final Map<String, ArrowType> CASTS = new LinkedHashMap<>();

    static {
        for (int bits : new int[] {8, 16, 32}) {
            CASTS.put("Int" + bits, new ArrowType.Int(bits, true));
            CASTS.put("UInt" + bits, new ArrowType.Int(bits, false));
        }
        CASTS.put("UInt64", new ArrowType.Int(64, false));
        CASTS.put("Float16", new ArrowType.FloatingPoint(FloatingPointPrecision.HALF));
        CASTS.put("Float32", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
        CASTS.put("LargeUtf8", new ArrowType.LargeUtf8());
        CASTS.put("Decimal128(10, 2)", new ArrowType.Decimal(10, 2, 128));
        CASTS.put("Date32", new ArrowType.Date(DateUnit.DAY));
        CASTS.put("Date64", new ArrowType.Date(DateUnit.MILLISECOND));
        CASTS.put("Time32(Second)", new ArrowType.Time(TimeUnit.SECOND, 32));
        CASTS.put("Time64(Nanosecond)", new ArrowType.Time(TimeUnit.NANOSECOND, 64));
        CASTS.put("Timestamp(Second, None)", new ArrowType.Timestamp(TimeUnit.SECOND, null));
        CASTS.put("Timestamp(Millisecond, None)", new ArrowType.Timestamp(TimeUnit.MILLISECOND, null));
        CASTS.put("Timestamp(Microsecond, None)", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null));
        CASTS.put("Timestamp(Nanosecond, None)", new ArrowType.Timestamp(TimeUnit.NANOSECOND, null));
        CASTS.put("Timestamp(Microsecond, Some(\\\"UTC\\\"))", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"));
    }

    /** A date in milliseconds is a whole number of days. */
    private static final Map<String, String> FROM = Map.of("Date64", "id * 86400000", "Decimal128(10, 2)", "real");

    private final RunningServer server;
    private final ViewedTables tables;
    private final List<Field> columns = new ArrayList<>(List.of(
            Field.nullable("id", ArrowStreams.INT64),
            Field.nullable("text", ArrowStreams.UTF8),
            Field.nullable("real", ArrowStreams.DOUBLE),
            Field.nullable("flag", ArrowStreams.BOOL),
            ArrowStreams.vector("place", 3),
            ArrowStreams.list("words", ArrowStreams.UTF8),
            ArrowStreams.list("numbers", ArrowStreams.INT64)));

    ViewTypesTest(SharedCatalog catalog) {
        this.server = catalog.server();
        this.tables = new ViewedTables(server, catalog.freshNamespace().namespace());
        server.arrow(
                        tables.table("all") + "/create",
                        ArrowStreams.of(
                                columns,
                                List.of(
                                        row(
                                                7,
                                                "seven",
                                                0.1,
                                                true,
                                                floats(1.5f, -2f, 0f),
                                                List.of("a", "b"),
                                                List.of(1, 2)),
                                        row(0, "", -0.0, false, floats(0.1f, 3e38f, -1f), List.of(), List.of(-1)),
                                        row(null, null, null, null, null, null, null))))
                .ok();
        int number = 0;
        StringBuilder more = new StringBuilder();
        for (Map.Entry<String, ArrowType> cast : CASTS.entrySet()) {
            String name = "c" + number++;
            boolean ofInt = cast.getKey().startsWith("Time32") || cast.getKey().equals("Date32");
            String from = ofInt ? "arrow_cast(id, 'Int32')" : FROM.getOrDefault(cast.getKey(), "id");
            more.append(more.isEmpty() ? "" : ",")
                    .append("{\"name\":\"" + name + "\",\"expression\":\"arrow_cast(" + from + ", '" + cast.getKey()
                            + "')\"}");
            columns.add(Field.nullable(name, cast.getValue()));
        }
        server.post(tables.table("all") + "/add_columns", "{\"new_columns\":[" + more + "]}")
                .ok();
    }

    private static List<Float> floats(Float... values) {
        return Arrays.asList(values);
    }

    private List<String> shown(String table) {
        return tables.rows(table).stream().map(ViewTypesTest::shown).toList();
    }

    private static String shown(Map<String, @Nullable Object> row) {
        Map<String, String> shown = new LinkedHashMap<>();
        row.forEach((name, value) -> shown.put(name, String.valueOf(value)));
        return shown.toString();
    }

    private String types(String table) {
        return server.post(tables.table(table) + "/describe/")
                .ok()
                .json()
                .at("/schema/fields")
                .valueStream()
                .map(field -> field.path("name").asString() + " "
                        + field.at("/type/type").asString())
                .toList()
                .toString();
    }

    @Test
    void valuesOfEveryTypeArriveAsTheyWereInTheColumnsThatAreAskedFor() {
        Answer made = tables.create("view", "SELECT * FROM \"all\"", false, columns.toArray(Field[]::new));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        tables.done(made.json().path("job_id").asString());
        assertThat(types("view")).isEqualTo(types("all"));
        assertThat(shown("view")).isEqualTo(shown("all")).hasSize(3);
    }

    @Test
    void aViewThatTakesTheColumnsOfItsQueryHoldsVectorsListsAndMoments() {
        tables.made("view", "SELECT id, text, real, flag, place, words, numbers, c15, c16, c17, c18, c19 FROM \"all\"");
        assertThat(types("all"))
                .contains(types("view").substring(1, types("view").indexOf(", c15")));
        List<Map<String, @Nullable Object>> rows = tables.rows("view");
        assertThat(tables.rows("all").stream()
                        .map(row -> {
                            row.keySet().retainAll(rows.getFirst().keySet());
                            return shown(row);
                        })
                        .toList())
                .isEqualTo(rows.stream().map(ViewTypesTest::shown).toList());
    }
}
