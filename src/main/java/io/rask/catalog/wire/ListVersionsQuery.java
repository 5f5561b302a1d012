package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** Which versions are asked for, and in which order. */
public record ListVersionsQuery(
        @Nullable String pageToken,
        @Nullable Long limit,
        @Nullable Boolean descending) {}
