package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.validation.constraints.NotNull;

/**
 * The body that protects a warehouse or a project, or no longer.
 *
 * @param isProtected whether a deletion without force is refused
 */
public record ContainerProtectionRequest(
        @NotNull @JsonProperty("protected") Boolean isProtected) {}
