package io.rask.catalog.wire;

import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of the registration of a version whose manifest lies ready.
 *
 * @param manifestPath of the file that lies ready: below the table's location, in its bucket or file system, or as a URI
 * @param manifestSize in bytes; must be the file's where it is given
 * @param eTag must be the file's where it is given and the store has one
 */
public record CreateVersionRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotNull Long version,
        @Nullable String branch,
        @NotNull String manifestPath,
        @Nullable Long manifestSize,
        @Nullable String eTag,
        @Nullable Map<String, @Nullable String> metadata,
        @Nullable NamingScheme namingScheme)
        implements ObjectBody {}
