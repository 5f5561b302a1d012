package io.rask.catalog.wire;

/** The answer to what a worker does with a materialized view. */
public record ViewJobResponse(String jobId) {}
