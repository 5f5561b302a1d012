package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A body that names another place for the object its path names. */
public interface DestinationInBody {
    /** The name of the object at the new place. */
    @Nullable
    String destinationName();

    /** The namespace of the new place; null and empty leave the object where it is. */
    @Nullable
    List<@Nullable String> destinationNamespace();

    /** Whether it names one at all. */
    default boolean moves() {
        return true;
    }
}
