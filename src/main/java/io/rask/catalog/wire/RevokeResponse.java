package io.rask.catalog.wire;

/**
 * What became of taking a rung back.
 *
 * @param revoked whether it was given on the object itself
 */
public record RevokeResponse(String principal, String rung, boolean revoked) {}
