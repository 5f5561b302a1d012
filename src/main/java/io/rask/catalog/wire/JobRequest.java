package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** The body of an operation on one job. */
public record JobRequest(@Nullable String jobId) {}
