package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** The body of a role's creation; the path names its project. */
public record CreateRoleRequest(@Nullable String role) implements NamedInBody {
    @Override
    public @Nullable String newName() {
        return role;
    }
}
