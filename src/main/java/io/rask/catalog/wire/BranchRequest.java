package io.rask.catalog.wire;

import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of the removal of a branch. */
public record BranchRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotNull String name) implements ObjectBody {}
