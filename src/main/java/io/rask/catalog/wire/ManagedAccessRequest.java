package io.rask.catalog.wire;

import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body that says whether owners may give rights.
 *
 * @param managed whether only those who manage the rights may
 */
public record ManagedAccessRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotNull Boolean managed) implements ObjectBody {}
