package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * The query of a table's creation; the body is an Arrow stream.
 *
 * @param mode absent means {@link CreateMode#CREATE}
 * @param properties a JSON object as text
 */
public record CreateTableQuery(
        @Nullable CreateMode mode, @Nullable String properties) {}
