package io.rask.catalog.platform;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For how long the server works on the request of a thread, and whether its client is still there. Two clocks run: one from the
 * beginning, if the client says how long it waits, and one that starts anew whenever a byte of a body moves, so that a long upload
 * is not cut while a store that hangs is.
 */
public final class RequestBound {
    private static final ThreadLocal<@Nullable RequestBound> CURRENT = new ThreadLocal<>();
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final long begin;
    private final long idleNanos;
    private final long totalNanos;
    private final BooleanSupplier clientGone;
    private final AtomicLong moved;

    private RequestBound(long begin, AtomicLong moved, long idleNanos, long totalNanos, BooleanSupplier clientGone) {
        this.begin = begin;
        this.moved = moved;
        this.idleNanos = idleNanos;
        this.totalNanos = totalNanos;
        this.clientGone = clientGone;
    }

    /**
     * @param idle how long the server may work without a byte of a body moving
     * @param total how long the client waits in all; null when it does not say
     * @param clientGone asked from time to time by the thread of the request
     */
    public static RequestBound of(Duration idle, @Nullable Duration total, BooleanSupplier clientGone) {
        return beginning(nanos(idle), total == null ? NEVER : nanos(total), clientGone);
    }

    private static RequestBound beginning(long idleNanos, long totalNanos, BooleanSupplier clientGone) {
        long now = System.nanoTime();
        return new RequestBound(now, new AtomicLong(now), idleNanos, totalNanos, clientGone);
    }

    /** The bound of the request this thread works for; one that never ends where there is none. */
    public static RequestBound current() {
        RequestBound current = CURRENT.get();
        return current == null ? beginning(NEVER, NEVER, () -> false) : current;
    }

    /** Makes this the bound of the current thread; null makes it have none. */
    public static void enter(@Nullable RequestBound bound) {
        if (bound == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(bound);
        }
    }

    /** A bound for work that other requests wait for too: it begins now, and no client ends it by leaving. */
    public RequestBound shared() {
        return beginning(idleNanos, NEVER, () -> false);
    }

    /** A bound that begins now and ends with this one, or after the given time if that is sooner. */
    public RequestBound within(Duration time) {
        long now = System.nanoTime();
        long total = Math.min(totalNanos - (now - begin), nanos(time));
        return new RequestBound(now, moved, idleNanos, total, clientGone);
    }

    /** A byte of a body has moved. */
    public void moved() {
        moved.set(System.nanoTime());
    }

    /** How long is left; zero or less when the time is over. */
    public Duration left() {
        long now = System.nanoTime();
        return Duration.ofNanos(Math.min(totalNanos - (now - begin), idleNanos - (now - moved.get())));
    }

    public boolean isOver() {
        return !left().isPositive();
    }

    /** Whether the client has closed the connection, as far as that can be told. */
    public boolean clientGone() {
        return clientGone.getAsBoolean();
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(NEVER)) > 0 ? NEVER : duration.toNanos();
    }
}
