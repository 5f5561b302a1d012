package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a namespace's drop. Absent means {@link DropMode#FAIL} and {@link DropBehavior#RESTRICT}. */
public record DropNamespaceRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable DropMode mode,
        @Nullable DropBehavior behavior)
        implements ObjectBody {}
