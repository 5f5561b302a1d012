package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * What a change of columns did.
 *
 * @param transactionId absent when there was nothing to change
 */
public record ColumnsResponse(long version, @Nullable String transactionId) {}
