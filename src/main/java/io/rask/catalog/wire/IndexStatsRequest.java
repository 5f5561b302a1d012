package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request for the statistics of an index.
 *
 * @param indexName the name in the path once more, or absent
 */
public record IndexStatsRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable Long version,
        @Nullable String branch,
        @Nullable String indexName)
        implements ObjectBody {}
