package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a request for statistics. */
public record StatsRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch) implements ObjectBody {}
