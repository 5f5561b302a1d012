package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * Which tables are asked for.
 *
 * @param includeDeclared whether tables without data count; absent means they do
 */
public record ListTablesQuery(
        @Nullable String pageToken,
        @Nullable Long limit,
        @Nullable Boolean includeDeclared) {}
