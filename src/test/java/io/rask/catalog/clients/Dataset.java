package io.rask.catalog.clients;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table as its source has it.
 *
 * @param rows one value per column, in the order of the columns; the first column is the position in the source
 * @param category a text column that many rows share values of
 * @param sample a value of {@code category} that some rows have and others have not
 * @param editable a text column that a test may overwrite
 */
record Dataset(
        String name,
        List<Column> columns,
        List<List<@Nullable Object>> rows,
        String category,
        String sample,
        String editable) {

    /** What a column holds; every column may hold nulls. */
    enum Type {
        INTEGER,
        REAL,
        TEXT
    }

    record Column(String name, Type type) {}

    int position(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        throw new IllegalArgumentException(column);
    }

    /** The predicate that selects the rows of the sample, in the engine's own words. */
    String sampleFilter() {
        return "`" + category + "` = '" + sample + "'";
    }

    Predicate<List<@Nullable Object>> inSample() {
        int at = position(category);
        return row -> Objects.equals(row.get(at), sample);
    }

    List<List<@Nullable Object>> rowsWhere(Predicate<List<@Nullable Object>> condition) {
        return rows.stream().filter(condition).toList();
    }

    /** The rows with the editable column of the sample set to a value. */
    List<List<@Nullable Object>> rowsAfterUpdate(String value) {
        int at = position(editable);
        Predicate<List<@Nullable Object>> sampled = inSample();
        List<List<@Nullable Object>> updated = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            List<@Nullable Object> copy = new ArrayList<>(row);
            if (sampled.test(row)) {
                copy.set(at, value);
            }
            updated.add(copy);
        }
        return updated;
    }

    /** A row with its column names, for readable failures. */
    Map<String, @Nullable Object> named(List<@Nullable Object> row) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            named.put(columns.get(i).name(), row.get(i));
        }
        return named;
    }

    @Override
    public String toString() {
        return name;
    }
}
