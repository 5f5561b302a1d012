package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who the caller is to the server.
 *
 * @param subject the name that grants are written with
 * @param identifiedBy {@code token}, {@code api_key}, {@code configured_key}, {@code service}, or {@code none} where nobody is asked
 * @param teams what the caller's token says it belongs to
 * @param estateAdmin whether the caller administers the installation; absent without authorization
 * @param projects the caller's roles; absent without authorization
 */
public record MeResponse(
        String subject,
        String identifiedBy,
        @Nullable String name,
        @Nullable String email,
        List<String> teams,
        @Nullable Boolean estateAdmin,
        @Nullable List<ProjectRole> projects) {

    /** A project and what the caller is in it. */
    public record ProjectRole(String project, String role) {}
}
