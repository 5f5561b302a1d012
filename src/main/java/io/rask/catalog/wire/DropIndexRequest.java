package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of the removal of an index, which some clients send.
 *
 * @param indexName the name in the path once more, or absent
 */
public record DropIndexRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable String indexName)
        implements ObjectBody {}
