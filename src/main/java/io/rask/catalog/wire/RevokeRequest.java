package io.rask.catalog.wire;

import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body that takes a rung back.
 *
 * @param principal {@code user:<subject>}, {@code team:<name>} or {@code role:<project>/<name>}
 */
public record RevokeRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotBlank String principal,
        @NotBlank String rung)
        implements ObjectBody {}
