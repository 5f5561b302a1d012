package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Whether an object is protected against deletion.
 *
 * @param id the stored id, or that of the warehouse or project
 * @param setBy who said so last; absent when nobody has
 */
public record ProtectionResponse(
        String id,
        @JsonProperty("protected") boolean isProtected,
        @Nullable String setBy) {}
