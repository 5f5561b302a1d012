package io.rask.catalog.wire;

/** What an insert did. */
public record InsertResponse(long numInsertedRows, long version) {}
