package io.rask.catalog.wire;

import jakarta.validation.constraints.NotBlank;

/**
 * Which membership of a project or a role is taken back.
 *
 * @param principal {@code user:<subject>}, {@code team:<name>} or {@code role:<project>/<name>}
 */
public record MemberQuery(
        @NotBlank String principal, @NotBlank String rung) {}
