package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * A materialized view that was made.
 *
 * @param version the version that made it; absent where only the job is told
 * @param jobId the job that fills it, where there is one
 */
public record CreateViewResponse(
        @Nullable Long version, @Nullable String jobId) {}
