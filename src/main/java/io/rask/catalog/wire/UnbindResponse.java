package io.rask.catalog.wire;

/** A top-level namespace that was unbound; its contents stay in the warehouse. */
public record UnbindResponse(String namespace, String warehouse) {}
