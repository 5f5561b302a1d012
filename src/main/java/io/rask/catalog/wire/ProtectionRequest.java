package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body that protects a table or a namespace, or no longer.
 *
 * @param isProtected whether a deletion without force is refused
 */
public record ProtectionRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotNull @JsonProperty("protected") Boolean isProtected)
        implements ObjectBody {}
