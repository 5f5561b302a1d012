package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A project.
 *
 * @param createdAt UTC
 * @param admins who administers it; empty without authorization
 */
public record ProjectResponse(
        String project,
        List<String> warehouses,
        List<String> admins,
        @JsonProperty("protected") boolean isProtected,
        String createdAt,
        String createdBy) {}
