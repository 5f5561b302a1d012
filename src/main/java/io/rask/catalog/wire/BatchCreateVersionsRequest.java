package io.rask.catalog.wire;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of the registration of versions of several tables at once.
 *
 * @param entries one for each version; each names its table
 */
public record BatchCreateVersionsRequest(
        @Nullable Map<String, @Nullable String> context,
        @NotEmpty @Size(max = BatchCommitRequest.MOST) List<@Valid @NotNull CreateVersionRequest> entries) {}
