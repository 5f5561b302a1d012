package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a namespace's creation. An absent mode is {@link CreateMode#CREATE}. */
public record CreateNamespaceRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable CreateMode mode,
        @Nullable Map<String, @Nullable String> properties)
        implements ObjectBody {}
