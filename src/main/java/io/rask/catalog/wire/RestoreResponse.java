package io.rask.catalog.wire;

/** @param version the version that the return has made */
public record RestoreResponse(long version) {}
