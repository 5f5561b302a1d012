package io.rask.catalog.wire;

/** One version of a table, which was asked for or made. */
public record VersionResponse(VersionEntry version) {}
