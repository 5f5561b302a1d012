package io.rask.catalog.wire;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a key's creation.
 *
 * @param name what its owner is to know it by
 * @param expiresInSeconds how long it works; absent for as long as the server allows
 */
public record CreateApiKeyRequest(
        @NotBlank @Pattern(regexp = "[^\\p{Cntrl}]{1,100}") String name,
        @Nullable @Min(1) @Max(3650L * 86_400) Long expiresInSeconds) {}
