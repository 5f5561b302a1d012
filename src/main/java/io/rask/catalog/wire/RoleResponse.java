package io.rask.catalog.wire;

/**
 * A role of a project.
 *
 * @param principal the role as grants name it: {@code role:<project>/<name>}
 * @param createdAt UTC
 */
public record RoleResponse(String project, String role, String principal, String createdAt, String createdBy) {}
