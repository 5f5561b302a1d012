package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * The answer to the creation of an index.
 *
 * @param transactionId what committed it; absent while a worker is at it
 * @param jobId the job that makes it, or has
 */
public record CreateIndexResponse(@Nullable String transactionId, String jobId) {}
