package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a listing of indices. */
public record ListIndicesRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable Long version,
        @Nullable String branch,
        @Nullable String pageToken,
        @Nullable Long limit)
        implements ObjectBody {}
