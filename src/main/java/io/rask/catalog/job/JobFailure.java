package io.rask.catalog.job;

import org.jspecify.annotations.Nullable;

/**
 * Why a job failed.
 *
 * @param phase what it was doing
 * @param message for the client; nothing internal
 * @param retryable whether the same job may succeed another time
 * @param code the number of the error code that a request would have got; null where there is none, as after a crash
 */
public record JobFailure(
        String phase,
        String message,
        boolean retryable,
        @Nullable Integer code) {
    /** A failure without a code. */
    public JobFailure(String phase, String message, boolean retryable) {
        this(phase, message, retryable, null);
    }
}
