package io.rask.catalog.job;

/**
 * Why a job failed.
 *
 * @param phase what it was doing
 * @param message for the client; nothing internal
 * @param retryable whether the same job may succeed another time
 */
public record JobFailure(String phase, String message, boolean retryable) {}
