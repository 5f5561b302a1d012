package io.rask.catalog.wire;

import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body that asks whether a caller may do something.
 *
 * @param principal {@code user:<subject>}
 * @param action what, such as {@code can_read_data}
 */
public record AccessCheckRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotBlank String principal,
        @NotBlank String action)
        implements ObjectBody {}
