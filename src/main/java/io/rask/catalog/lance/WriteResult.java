package io.rask.catalog.lance;

/**
 * What a write made of a table.
 *
 * @param version the version that holds the rows
 * @param rows how many rows were written
 */
public record WriteResult(long version, long rows) {}
