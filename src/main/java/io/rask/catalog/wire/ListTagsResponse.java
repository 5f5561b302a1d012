package io.rask.catalog.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of tags.
 *
 * @param pageToken where the next page begins; absent on the last
 */
public record ListTagsResponse(
        Map<String, TagContents> tags, @Nullable String pageToken) {}
