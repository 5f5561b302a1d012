package io.rask.catalog.wire;

import java.util.List;

/** What the caller may do to an object. */
public record PermissionsResponse(String subject, List<String> permissions) {}
