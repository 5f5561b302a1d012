package io.rask.catalog.wire;

/** @param deletedCount how many versions are gone */
public record DeleteVersionsResponse(long deletedCount) {}
