package io.rask.catalog.platform;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work beside requests, which has to go on whatever is thrown at it. An error such as {@link OutOfMemoryError} passes, but the thread it
 * ends would leave its work undone for ever, and nobody would ask for it: so every such error is told, counted and outlived.
 */
public final class Background {
    private static final Logger log = LoggerFactory.getLogger(Background.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final AtomicLong FAILURES = new AtomicLong();

    private Background() {}

    /** What a thread does until it returns or is interrupted. */
    @FunctionalInterface
    public interface Loop {
        void run() throws InterruptedException;
    }

    /** Starts a thread for a loop, which is begun again after a moment when something ends it. */
    public static Thread start(String name, Loop loop) {
        return Thread.ofPlatform().daemon().name(name).start(() -> {
            boolean again = !isEnded(loop);
            while (again && pause()) {
                again = !isEnded(loop);
            }
        });
    }

    private static boolean isEnded(Loop loop) {
        try {
            loop.run();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } catch (Throwable e) {
            failed("The loop begins again.", e);
            return false;
        }
    }

    private static boolean pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The same work, but for what it throws: a task that fails once would not be run again. */
    public static Runnable task(String otherwise, Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable e) {
                failed(otherwise, e);
            }
        };
    }

    /**
     * Tells and counts what somebody caught who has more to do than to go on.
     *
     * @param otherwise what becomes of the work, for people
     */
    public static void failed(String otherwise, Throwable failure) {
        FAILURES.incrementAndGet();
        try {
            log.error("{}: {}", Thread.currentThread().getName(), otherwise, failure);
        } catch (Throwable e) {
            // Without memory it cannot even be told; it is counted.
            FAILURES.incrementAndGet();
        }
    }

    /** How often work beside requests has failed in this process in a way that nobody expects. */
    static AtomicLong failures() {
        return FAILURES;
    }
}
