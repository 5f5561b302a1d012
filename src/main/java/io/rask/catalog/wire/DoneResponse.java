package io.rask.catalog.wire;

/** The answer of an operation that has nothing to tell: an empty object, which clients parse. */
public record DoneResponse() {}
