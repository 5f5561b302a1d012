package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a branch began.
 *
 * @param parentBranch absent for the main branch
 * @param createAt in seconds since 1970
 * @param manifestSize in bytes
 */
public record BranchContents(
        @JsonProperty("parentBranch") @Nullable String parentBranch,
        @JsonProperty("parentVersion") long parentVersion,
        @JsonProperty("createAt") long createAt,
        @JsonProperty("manifestSize") long manifestSize,
        Map<String, String> metadata) {}
