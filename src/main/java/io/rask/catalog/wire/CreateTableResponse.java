package io.rask.catalog.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table after its creation.
 *
 * @param version the version of its data; absent while it is only declared
 */
public record CreateTableResponse(
        String location,
        @Nullable Long version,
        @Nullable Map<String, String> storageOptions,
        Map<String, String> properties) {}
