package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a listing of versions. The specification has the same in the query; the body wins. */
public record ListVersionsRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable String pageToken,
        @Nullable Long limit,
        @Nullable Boolean descending)
        implements ObjectBody {}
