package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** The body of a project's creation. */
public record CreateProjectRequest(@Nullable String id) implements NamedInBody {
    @Override
    public @Nullable String newName() {
        return id;
    }
}
