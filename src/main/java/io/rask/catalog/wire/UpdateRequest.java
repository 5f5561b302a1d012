package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of an update.
 *
 * @param predicate which rows change; absent means all
 * @param updates pairs of a column and an SQL expression
 */
public record UpdateRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable String predicate,
        @Nullable List<@Nullable List<@Nullable String>> updates,
        @Nullable Map<String, @Nullable String> properties)
        implements ObjectBody {}
