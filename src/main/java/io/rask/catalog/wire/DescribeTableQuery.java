package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** The flags of a table's description that may come in the query; the body wins. */
public record DescribeTableQuery(
        @Nullable Boolean withTableUri,
        @Nullable Boolean loadDetailedMetadata,
        @Nullable Boolean checkDeclared) {}
