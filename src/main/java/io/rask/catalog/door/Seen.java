package io.rask.catalog.door;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a door saw under the name it asked the rights for. Where what is there decides which rights are asked, a handler acts on what
 * was seen and on nothing that came to be there since.
 */
public sealed interface Seen {
    /** The rights did not depend on it, or nobody is asked. */
    Seen UNASKED = new Unasked();
    /** There was nothing. */
    Seen NOTHING = new Nothing();

    /** @param location where the table lay; null for a namespace, and where it could not be told */
    static Seen there(@Nullable String location) {
        return new There(location);
    }

    /** Whether the rights were asked for on the ground that there was nothing. */
    default boolean isNothing() {
        return this instanceof Nothing;
    }

    /** Whether the rights were asked for on something else than what is there now. */
    default boolean isOther(Optional<String> locationNow) {
        return switch (this) {
            case Unasked unasked -> false;
            case Nothing nothing -> locationNow.isPresent();
            case There there ->
                there.location() != null
                        && locationNow
                                .filter(now -> !now.equals(there.location()))
                                .isPresent();
        };
    }

    /** See {@link #UNASKED}. */
    record Unasked() implements Seen {}

    /** See {@link #NOTHING}. */
    record Nothing() implements Seen {}

    /** See {@link #there}. */
    record There(@Nullable String location) implements Seen {}
}
