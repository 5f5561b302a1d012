package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * Something given to somebody.
 *
 * @param expiresAt when it ends by itself, UTC
 */
public record GrantResponse(
        String principal, String rung, @Nullable String expiresAt) {}
