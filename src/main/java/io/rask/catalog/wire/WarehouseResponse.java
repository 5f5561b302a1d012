package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * A warehouse.
 *
 * @param status {@code active} or {@code deactivated}
 */
public record WarehouseResponse(
        String id,
        String project,
        String bucket,
        String root,
        @Nullable String endpoint,
        @Nullable String region,
        @Nullable String credential,
        String status,
        @JsonProperty("protected") boolean isProtected,
        String createdAt,
        String createdBy) {}
