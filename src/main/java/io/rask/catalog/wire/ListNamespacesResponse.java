package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of child namespaces, by name. No token means the last page. */
public record ListNamespacesResponse(
        List<String> namespaces, @Nullable String pageToken) {}
