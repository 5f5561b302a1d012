package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/** A body that names the object its operation makes, because the path names only the collection. */
public interface NamedInBody {
    /** The name of the object to make. */
    @Nullable
    String newName();

    /** The name of what shall hold it, where the path does not say. */
    default @Nullable String holderName() {
        return null;
    }
}
