package io.rask.catalog.wire;

/**
 * Whether owners may give rights.
 *
 * @param managed whether only those who manage the rights may
 * @param inherited whether that is so because of what lies above, too
 */
public record ManagedAccessResponse(boolean managed, boolean inherited) {}
