package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of a project's roles. */
public record ListRolesResponse(
        List<RoleResponse> roles, @Nullable String pageToken) {}
