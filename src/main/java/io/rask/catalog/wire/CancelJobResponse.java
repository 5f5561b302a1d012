package io.rask.catalog.wire;

/** The state of a job after its cancellation was asked for. */
public record CancelJobResponse(String jobId, String jobState) {}
