package io.rask.catalog.lance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a merge does with the rows of a stream and of a table, matched by key. A key with a null in it matches nothing.
 *
 * @param on the key columns, as field paths
 * @param updateMatched whether matched rows take the values of the stream
 * @param updateFilter a condition on {@code source.} and {@code target.} columns that matched rows must fulfil to be updated; null
 *     for none
 * @param insertUnmatched whether rows of the stream that match none are added
 * @param deleteUnmatched whether rows of the table that match none are removed
 * @param deleteFilter a condition on the table's columns that such rows must fulfil to be removed; null for none
 * @param useIndex whether an index on the key may be used to find the matches
 */
public record RowMerge(
        List<String> on,
        boolean updateMatched,
        @Nullable String updateFilter,
        boolean insertUnmatched,
        boolean deleteUnmatched,
        @Nullable String deleteFilter,
        boolean useIndex) {
    public RowMerge {
        on = List.copyOf(on);
    }

    /** Whether the merge could change anything. */
    public boolean hasEffect() {
        return updateMatched || insertUnmatched || deleteUnmatched;
    }
}
