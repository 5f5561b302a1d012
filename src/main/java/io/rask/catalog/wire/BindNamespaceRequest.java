package io.rask.catalog.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a top-level namespace's creation.
 *
 * @param adoptExisting whether an unbound namespace of that name in the warehouse's root is taken over
 */
public record BindNamespaceRequest(
        @Nullable String namespace,
        @Nullable Boolean adoptExisting,
        @Nullable Map<String, @Nullable String> properties) implements NamedInBody {
    @Override
    public @Nullable String newName() {
        return namespace;
    }
}
