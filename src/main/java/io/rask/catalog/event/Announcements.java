package io.rask.catalog.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the request, or the job, at work on this thread has done so far. It is collected where it happens, and told once the work has
 * ended, by whoever knows for whom it was done.
 */
public final class Announcements {
    private static final ThreadLocal<@Nullable List<Happening>> CURRENT = new ThreadLocal<>();

    private Announcements() {}

    /** Begins to collect for new work on this thread. */
    public static void open() {
        CURRENT.set(new ArrayList<>());
    }

    /** Says that this happened to an object of that stored id. */
    public static void add(EventType type, String object) {
        add(type, object, Map.of());
    }

    /** The same, with what else there is to tell; nothing where nobody collects. */
    public static void add(EventType type, String object, Map<String, String> details) {
        List<Happening> collected = CURRENT.get();
        if (collected != null) {
            collected.add(new Happening(type, object, details));
        }
    }

    /** Ends the collection; what happened, in its order. */
    public static List<Happening> close() {
        List<Happening> collected = CURRENT.get();
        CURRENT.remove();
        return collected == null ? List.of() : List.copyOf(collected);
    }
}
