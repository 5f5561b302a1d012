package io.rask.bench;

import io.rask.bench.World.Row;
import io.rask.catalog.testing.ArrowStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** The rows of soaked tables on the wire: {@code id int64, value int64, text utf8}. */
final class SoakRows {
    private static final List<Field> COLUMNS = List.of(
            Field.nullable("id", ArrowStreams.INT64),
            Field.nullable("value", ArrowStreams.INT64),
            Field.nullable("text", ArrowStreams.UTF8));

    private SoakRows() {}

    static byte[] stream(Map<Long, Row> rows) {
        return ArrowStreams.of(
                COLUMNS,
                rows.entrySet().stream()
                        .map(row -> ArrowStreams.row(
                                row.getKey(),
                                row.getValue().value(),
                                row.getValue().text()))
                        .toList());
    }

    /** A query for all rows that a condition holds for; null for all. */
    static String query(@Nullable String filter) {
        String condition = filter == null ? "" : ",\"filter\":\"" + filter + "\"";
        return "{\"k\":2147483647,\"vector\":{\"single_vector\":[]}" + condition + "}";
    }

    /** The rows of an answer; a key that comes twice is told in {@code wrong}. */
    static NavigableMap<Long, Row> read(byte[] file, List<String> wrong) {
        NavigableMap<Long, Row> rows = new TreeMap<>();
        for (Map<String, @Nullable Object> values : ArrowStreams.read(file)) {
            Row row = new Row(number(values.get("value")), String.valueOf(values.get("text")));
            if (rows.put(number(values.get("id")), row) != null) {
                wrong.add("the row " + values.get("id") + " is there twice");
            }
        }
        return rows;
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : Long.MIN_VALUE;
    }

    static NavigableMap<Long, Row> where(NavigableMap<Long, Row> rows, BiPredicate<Long, Row> condition) {
        NavigableMap<Long, Row> some = new TreeMap<>();
        rows.forEach((id, row) -> {
            if (condition.test(id, row)) {
                some.put(id, row);
            }
        });
        return some;
    }

    /** How rows differ, in short; nothing where they are equal. */
    static List<String> differences(String what, NavigableMap<Long, Row> wanted, NavigableMap<Long, Row> found) {
        List<String> lines = new ArrayList<>();
        wanted.forEach((id, row) -> {
            if (!row.equals(found.get(id))) {
                lines.add(what + ": row " + id + " should be " + row + " and is " + found.get(id));
            }
        });
        found.forEach((id, row) -> {
            if (!wanted.containsKey(id)) {
                lines.add(what + ": row " + id + " should not be there and is " + row);
            }
        });
        return lines.size() <= 3
                ? lines
                : List.of(lines.getFirst(), "… and " + (lines.size() - 1) + " more rows of " + what);
    }
}
