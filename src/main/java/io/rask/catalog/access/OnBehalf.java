package io.rask.catalog.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** For whom this thread works: the caller of the request, or whoever asked for the job. What it sets going is asked for by the same. */
public final class OnBehalf {
    private static final ThreadLocal<@Nullable Principal> CURRENT = new ThreadLocal<>();

    private OnBehalf() {}

    /** Says for whom the work is that begins on this thread; null where nobody knows. */
    public static void enter(@Nullable Principal principal) {
        CURRENT.set(principal);
    }

    /** Says that the work has ended. */
    public static void leave() {
        CURRENT.remove();
    }

    /** Whoever the work is for; empty where nobody asked for it. */
    public static Optional<Principal> current() {
        return Optional.ofNullable(CURRENT.get());
    }
}
