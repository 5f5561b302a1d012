package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of versions.
 *
 * @param pageToken where the next page begins; absent on the last
 */
public record ListVersionsResponse(
        List<VersionEntry> versions, @Nullable String pageToken) {}
