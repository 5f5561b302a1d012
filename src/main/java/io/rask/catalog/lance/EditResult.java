package io.rask.catalog.lance;

/**
 * What an edit made of a table.
 *
 * @param version the version after the edit; the one before it where no row was touched
 * @param rows how many rows were changed or deleted
 */
public record EditResult(long version, long rows) {}
