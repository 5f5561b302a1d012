package io.rask.catalog.wire;

import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a table's registration.
 *
 * @param location where the dataset lies: relative to the root of the warehouse, or a URI inside it
 * @param mode absent means {@link RegisterMode#CREATE}
 */
public record RegisterTableRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotBlank String location,
        @Nullable RegisterMode mode,
        @Nullable Map<String, @Nullable String> properties)
        implements ObjectBody {}
