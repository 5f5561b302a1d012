package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of indices.
 *
 * @param pageToken where the next page begins; absent on the last
 * @param lostIndexes what went when columns got other types and is not there again, with the first page; absent without any
 */
public record ListIndicesResponse(
        List<IndexContent> indexes,
        @Nullable String pageToken,
        @Nullable List<Lost> lostIndexes) {
    /**
     * An index that is being made anew, or cannot be.
     *
     * @param status {@code REBUILDING} or {@code FAILED}
     * @param jobId what makes it; absent when nothing does
     * @param reason why it cannot be made; absent while it may be
     */
    public record Lost(
            String indexName,
            List<String> columns,
            String indexType,
            String status,
            @Nullable String jobId,
            @Nullable String reason) {}
}
