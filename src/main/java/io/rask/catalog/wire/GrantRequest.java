package io.rask.catalog.wire;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body that gives a rung.
 *
 * @param principal {@code user:<subject>}, {@code team:<name>} or {@code role:<project>/<name>}
 * @param expiresInSeconds for how long; absent for good
 */
public record GrantRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotBlank String principal,
        @NotBlank String rung,
        @Nullable @Min(1) @Max(3650L * 86_400) Long expiresInSeconds)
        implements ObjectBody, GivesRung {}
