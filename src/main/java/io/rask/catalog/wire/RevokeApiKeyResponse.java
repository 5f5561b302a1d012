package io.rask.catalog.wire;

/** The key that works no more. */
public record RevokeApiKeyResponse(String id) {}
