package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A project.
 *
 * @param createdAt UTC
 * @param admins who administers it, as grants spell them; empty without authorization, for a caller who is not in the project, and
 *     where the permission engine does not say it in time; null in lists
 */
public record ProjectResponse(
        String project,
        List<String> warehouses,
        @Nullable List<String> admins,
        @JsonProperty("protected") boolean isProtected,
        String createdAt,
        String createdBy) {}
