package io.rask.catalog.lance;

import org.jspecify.annotations.Nullable;

/**
 * What came of a change of columns.
 *
 * @param version the version that holds it
 * @param transaction the id of the transaction that made it; null when there was nothing to change
 */
public record ColumnsResult(long version, @Nullable String transaction) {}
