package io.rask.catalog.door;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a door saw under the name it asked the rights for. Where what is there decides which rights are asked, a handler acts on what
 * was seen and on nothing that came to be there since.
 *
 * @param location where the table lay that was there; null for a namespace, and where it could not be told
 */
public record Seen(What what, @Nullable String location) {
    /** The rights did not depend on it, or nobody is asked. */
    public static final Seen UNASKED = new Seen(What.UNASKED, null);

    /** There was nothing. */
    public static final Seen NOTHING = new Seen(What.NOTHING, null);

    /** Whether anything was. */
    public enum What {
        UNASKED,
        NOTHING,
        THERE
    }

    static Seen there(@Nullable String location) {
        return new Seen(What.THERE, location);
    }

    /** Whether the rights were asked for on the ground that there was nothing. */
    public boolean isNothing() {
        return what == What.NOTHING;
    }

    /** Whether the rights were asked for on something else than what is there now. */
    public boolean isOther(Optional<String> locationNow) {
        return switch (what) {
            case UNASKED -> false;
            case NOTHING -> locationNow.isPresent();
            case THERE ->
                location != null
                        && locationNow.filter(now -> !now.equals(location)).isPresent();
        };
    }
}
