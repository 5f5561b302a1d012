package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of an operation that has no fields of its own: describe, exists or drop. */
public record ObjectRequest(
        @Nullable List<@Nullable String> id, @Nullable Map<String, @Nullable String> context) implements ObjectBody {}
