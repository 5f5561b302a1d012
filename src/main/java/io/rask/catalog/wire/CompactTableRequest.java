package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a compaction.
 *
 * @param branch absent or {@code main}; others are not compacted yet
 * @param targetRowsPerFragment how many rows a fragment should have; absent leaves it to the library
 */
public record CompactTableRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable Long targetRowsPerFragment)
        implements ObjectBody {}
