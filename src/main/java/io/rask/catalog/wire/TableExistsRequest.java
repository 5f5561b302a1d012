package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of the question whether a table, or a branch or version of it, exists. */
public record TableExistsRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable Long version,
        @Nullable String branch)
        implements ObjectBody {}
