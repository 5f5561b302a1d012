package io.rask.catalog.lance;

/** One column that rows are ordered by. */
public record SortKey(String column, boolean ascending, boolean nullsFirst) {}
