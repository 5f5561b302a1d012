package io.rask.catalog.wire;

/**
 * A role that was taken away.
 *
 * @param tuplesRevoked how much was said of it: who was in it, and what it was given
 */
public record DeleteRoleResponse(String project, String role, int tuplesRevoked) {}
