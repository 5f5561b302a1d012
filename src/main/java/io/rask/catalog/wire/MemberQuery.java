package io.rask.catalog.wire;

import jakarta.validation.constraints.NotBlank;

/**
 * Which membership is taken back.
 *
 * @param principal {@code user:<subject>} or {@code team:<name>}
 */
public record MemberQuery(
        @NotBlank String principal, @NotBlank String rung) {}
