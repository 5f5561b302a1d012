package io.rask.catalog.wire;

/** What a deletion of rows did. */
public record DeleteResponse(long version, long numDeletedRows) {}
