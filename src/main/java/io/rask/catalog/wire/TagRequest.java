package io.rask.catalog.wire;

import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request about one tag.
 *
 * @param branch only a tag on this branch is meant
 */
public record TagRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotNull String tag,
        @Nullable String branch)
        implements ObjectBody {}
