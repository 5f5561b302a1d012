package io.rask.catalog.wire;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a deletion of versions. */
public record DeleteVersionsRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @NotEmpty @Size(max = 1000) List<@Valid @NotNull Range> ranges)
        implements ObjectBody {

    /**
     * Versions that follow each other.
     *
     * @param startVersion the first; 0 means that of the table
     * @param endVersion the one behind the last; -1 means that the latest is one of them
     */
    public record Range(@NotNull Long startVersion, @NotNull Long endVersion) {}
}
