package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a table's description. */
public record DescribeTableRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable Long version,
        @Nullable String tag,
        @Nullable String branch,
        @Nullable Boolean withTableUri,
        @Nullable Boolean loadDetailedMetadata,
        @Nullable Boolean checkDeclared,
        @Nullable Boolean vendCredentials)
        implements ObjectBody {}
