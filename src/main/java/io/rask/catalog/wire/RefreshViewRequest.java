package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a refresh.
 *
 * @param srcVersion which version of the source to read; absent for the latest
 * @param maxRowsPerFragment how many rows one file of the view may have
 * @param concurrency a wish that the catalog does not need, like the two that follow and the cluster
 * @param outputLimit only views of functions have one
 * @param manifest the environment of a function
 */
public record RefreshViewRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable Long srcVersion,
        @Nullable Long maxRowsPerFragment,
        @Nullable Long concurrency,
        @Nullable Long intraApplierConcurrency,
        @Nullable Long sourceTaskSize,
        @Nullable String cluster,
        @Nullable Long outputLimit,
        @Nullable String manifest)
        implements ObjectBody {}
