package io.rask.catalog.wire;

import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of the making or moving of a tag: the version it is to name, and the branch that version is on. */
public record PutTagRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotNull String tag,
        @NotNull Long version,
        @Nullable String branch)
        implements ObjectBody {}
