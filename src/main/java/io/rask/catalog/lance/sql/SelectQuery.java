package io.rask.catalog.lance.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A query that was found to be allowed.
 *
 * @param tables the parts of the name of each table it reads, in its order; a table that is named twice is there twice
 * @param rowWise whether each row of the answer comes from one row of the only table, whatever the others are
 * @param names in lower case, every name that could be a column's
 * @param allColumns whether it may read columns that it does not name
 * @param text the query as the engine wrote it out of what was checked, with names of our own for the tables
 */
public record SelectQuery(
        List<List<String>> tables, boolean rowWise, Set<String> names, boolean allColumns, String text) {
    public SelectQuery {
        tables = List.copyOf(tables);
        names = Set.copyOf(names);
    }

    /** Whether the query may read a column of that name. */
    public boolean reads(String column) {
        return allColumns || names.contains(column.toLowerCase(Locale.ROOT));
    }
}
