package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** The answer to the removal of an index: what committed it, where that is known. */
public record DropIndexResponse(@Nullable String transactionId) {}
