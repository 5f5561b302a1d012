package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A job. Times are milliseconds since 1970 in UTC. */
public record DescribeJobResponse(
        String jobId,
        String jobType,
        String jobState,
        long creationMs,
        ObjectNode spec,
        @Nullable ObjectNode result,
        @Nullable Failure failure,
        @Nullable String table,
        @Nullable String warehouse,
        boolean queued,
        int attempts,
        int maxAttempts,
        @Nullable Progress progress,
        boolean cancelRequested,
        @Nullable Long startedMs,
        @Nullable Long finishedMs) {

    /**
     * Why it failed, or why its last attempt did.
     *
     * @param code the error code that a request would have got; absent where there is none, as after a crash
     */
    public record Failure(
            String phase,
            String message,
            boolean retryable,
            @Nullable Integer code) {}

    /** How far it is. */
    public record Progress(long done, long total, String unit) {}
}
