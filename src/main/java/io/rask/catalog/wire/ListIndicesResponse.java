package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of indices.
 *
 * @param pageToken where the next page begins; absent on the last
 */
public record ListIndicesResponse(
        List<IndexContent> indexes, @Nullable String pageToken) {}
