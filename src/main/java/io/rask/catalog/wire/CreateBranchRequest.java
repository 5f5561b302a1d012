package io.rask.catalog.wire;

import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of the making of a branch.
 *
 * @param fromBranch absent for the main branch
 * @param fromVersion absent for the latest version
 */
public record CreateBranchRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotNull String name,
        @Nullable String fromBranch,
        @Nullable Long fromVersion)
        implements ObjectBody {}
