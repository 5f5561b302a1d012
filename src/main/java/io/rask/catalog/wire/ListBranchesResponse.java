package io.rask.catalog.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of branches; the main one is not among them.
 *
 * @param pageToken where the next page begins; absent on the last
 */
public record ListBranchesResponse(
        Map<String, BranchContents> branches, @Nullable String pageToken) {}
