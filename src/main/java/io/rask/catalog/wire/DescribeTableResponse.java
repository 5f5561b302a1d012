package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table.
 *
 * @param version the version described; absent while the table is only declared, like the schema
 * @param schema the fields, in the type names of the client's dialect
 * @param stats present when the request asked for details, like the metadata of the schema
 * @param isOnlyDeclared present when the request asked for it or for details
 */
public record DescribeTableResponse(
        String table,
        List<String> namespace,
        @Nullable Long version,
        String location,
        @Nullable String tableUri,
        @Nullable Object schema,
        @Nullable Map<String, String> storageOptions,
        @Nullable TableBasicStats stats,
        @Nullable Map<String, String> metadata,
        Map<String, String> properties,
        boolean managedVersioning,
        @Nullable Boolean isOnlyDeclared) {}
