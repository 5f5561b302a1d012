package io.rask.catalog.lance;

import java.util.List;

/**
 * A full-text search; results come by falling {@code _score}.
 *
 * @param columns where to look when the query names no column; empty for every column with a full-text index
 */
public record TextSearch(TextQuery query, List<String> columns) {
    public TextSearch {
        columns = List.copyOf(columns);
    }
}
