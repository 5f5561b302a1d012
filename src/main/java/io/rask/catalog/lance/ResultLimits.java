package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;

/**
 * How large one answer may be.
 *
 * @param bytes of its rows in memory
 */
record ResultLimits(long rows, long bytes) {
    /** @throws CatalogException code 13 when an answer has more rows than it may */
    void requireRows(long count) {
        if (count > rows) {
            throw CatalogException.invalid("The answer would have more than " + rows
                    + " rows; ask for fewer with k, and for the rest with offset or a filter.");
        }
    }
}
