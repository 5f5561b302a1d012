package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request about one version, or of the return to one.
 *
 * @param version absent for the latest, where that makes sense
 */
public record VersionRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable Long version,
        @Nullable String branch)
        implements ObjectBody {}
