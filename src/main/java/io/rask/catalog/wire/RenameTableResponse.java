package io.rask.catalog.wire;

/** A renaming that was done; it has nothing to tell. */
public record RenameTableResponse() {}
