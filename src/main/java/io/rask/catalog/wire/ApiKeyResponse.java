package io.rask.catalog.wire;

/**
 * A key, without what proves it.
 *
 * @param subject whom it stands for
 * @param createdAt UTC
 * @param expiresAt UTC
 */
public record ApiKeyResponse(String id, String name, String subject, String createdAt, String expiresAt) {}
