package io.rask.catalog.lance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table are wanted, and how they are to be shown.
 *
 * @param filter a SQL expression; null for all rows
 * @param columns empty for all columns
 * @param offset how many results to skip
 * @param limit how many results to give at most (for each query vector); numbers beyond the table's size mean all
 * @param prefilter whether the filter comes before the search, instead of being applied to what the search found
 * @param withRowId whether to add {@code _rowid}
 * @param fastSearch whether a search may leave out rows that its index does not hold yet
 * @param orderBy the first key counts most
 */
public record TableQuery(
        TableVersion version,
        @Nullable String filter,
        List<OutputColumn> columns,
        long offset,
        long limit,
        boolean prefilter,
        boolean withRowId,
        boolean fastSearch,
        @Nullable VectorSearch vectorSearch,
        @Nullable TextSearch textSearch,
        List<SortKey> orderBy) {
    /** The limit that means all rows. */
    public static final long ALL = Long.MAX_VALUE;

    public TableQuery {
        columns = List.copyOf(columns);
        orderBy = List.copyOf(orderBy);
    }

    /** All columns of all rows of the latest version. */
    public static TableQuery everything() {
        return new TableQuery(TableVersion.LATEST, null, List.of(), 0, ALL, true, false, false, null, null, List.of());
    }
}
