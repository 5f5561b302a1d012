package io.rask.catalog.data;

import io.rask.catalog.problem.CatalogException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The new values of an update, as the wire carries them: pairs of a column and an SQL expression. */
final class Assignments {
    private Assignments() {}

    /** Expressions by column, in order; code 13 for anything but pairs, and for a column that is set twice. */
    static Map<String, String> of(@Nullable List<@Nullable List<@Nullable String>> updates) {
        if (updates == null || updates.isEmpty()) {
            throw CatalogException.invalid("The updates are a list of pairs of a column and an SQL expression.");
        }
        Map<String, String> assignments = new LinkedHashMap<>();
        for (List<@Nullable String> pair : updates) {
            if (pair == null || pair.size() != 2 || pair.get(0) == null || pair.get(1) == null) {
                throw CatalogException.invalid("Each update is a pair of a column and an SQL expression.");
            }
            String column = unquoted(String.valueOf(pair.get(0)));
            if (assignments.put(column, String.valueOf(pair.get(1))) != null) {
                throw CatalogException.invalid("The column '" + column + "' is set twice.");
            }
        }
        return assignments;
    }

    /** A column may come in back-ticks, in which two stand for one. */
    private static String unquoted(String column) {
        boolean quoted = column.length() > 2 && column.startsWith("`") && column.endsWith("`");
        return quoted ? column.substring(1, column.length() - 1).replace("``", "`") : column;
    }
}
