package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** The body of a listing of jobs. */
public record ListJobsRequest(
        @Nullable String pageToken, @Nullable Long limit) {}
