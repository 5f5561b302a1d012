package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** What a table's description may be asked for in the query as well; the body wins. */
public record DescribeTableQuery(
        @Nullable Long version,
        @Nullable String tag,
        @Nullable String branch,
        @Nullable Boolean withTableUri,
        @Nullable Boolean loadDetailedMetadata,
        @Nullable Boolean checkDeclared,
        @Nullable Boolean vendCredentials) {}
