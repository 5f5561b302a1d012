package io.rask.catalog.record;

import io.rask.catalog.platform.Background;
import io.rask.catalog.problem.CatalogException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Knows whether the store of the records can be used. In the background it proves once, by a {@link ConditionalWriteProbe}, that
 * the store's conditional writes are atomic, trying again until the store answers; from then on it looks every few seconds
 * whether the store still does. The start does not wait for it.
 */
public final class StoreReadiness implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(StoreReadiness.class);
    private static final int LONGEST_PAUSE_FACTOR = 8;
    /** For how long a stop waits for a look under way, which a store that hangs may not end. */
    private static final Duration LAST_LOOK = Duration.ofSeconds(2);

    private final RecordStore store;
    private final Duration pause;
    private final RecordKey absent = RecordKey.probe();

    private volatile State state = new State.Unproven("The store has not been probed yet.");
    private volatile @Nullable Watch watch;

    private record Watch(CountDownLatch stop, Thread thread) {}

    /** @param pause the time between two looks; while the store cannot be proven it grows, up to eightfold */
    public StoreReadiness(RecordStore store, Duration pause) {
        this.store = store;
        this.pause = pause;
    }

    /** What is known about the store. */
    public sealed interface State {
        /** Proven, and answering. */
        record Ready() implements State {}

        /** Not proven yet, because it did not answer. */
        record Unproven(String reason) implements State {}

        /** Proven to lose records. */
        record Unsafe(String sentence) implements State {}

        /** Proven, but not answering right now. */
        record Unreachable(String reason) implements State {}
    }

    public State state() {
        return state;
    }

    @Override
    public void start() {
        CountDownLatch stop = new CountDownLatch(1);
        Thread thread = Background.start("record-store-readiness", () -> watch(stop));
        watch = new Watch(stop, thread);
    }

    @Override
    public void stop() {
        Watch running = watch;
        if (running != null) {
            running.stop().countDown();
            watch = null;
            try {
                running.thread().join(LAST_LOOK);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isRunning() {
        return watch != null;
    }

    private void watch(CountDownLatch stop) throws InterruptedException {
        int factor = 1;
        do {
            State next = isProven(state) ? look() : prove();
            factor = isProven(next) ? 1 : Math.min(factor * 2, LONGEST_PAUSE_FACTOR);
        } while (!stop.await(pause.toMillis() * factor, TimeUnit.MILLISECONDS));
    }

    private static boolean isProven(State state) {
        return state instanceof State.Ready || state instanceof State.Unreachable;
    }

    private State prove() {
        return switch (new ConditionalWriteProbe(store).run()) {
            case ProbeResult.Atomic atomic -> enter(new State.Ready(), null);
            case ProbeResult.NotAtomic notAtomic -> enter(new State.Unsafe(notAtomic.sentence()), null);
            case ProbeResult.Unreachable unreachable ->
                enter(new State.Unproven(unreachable.reason()), unreachable.cause());
        };
    }

    private State look() {
        try {
            store.read(absent);
            return enter(new State.Ready(), null);
        } catch (CatalogException e) {
            return enter(new State.Unreachable(e.text()), e);
        } catch (RuntimeException e) {
            return enter(new State.Unreachable("It cannot be seen whether the store answers."), e);
        }
    }

    private State enter(State next, @Nullable Exception cause) {
        if (!next.equals(state)) {
            switch (next) {
                case State.Ready ready -> LOG.info("The store of the records is ready");
                case State.Unsafe unsafe -> LOG.error("The store of the records is not safe: {}", unsafe.sentence());
                case State.Unproven unproven -> LOG.warn("The store of the records does not answer", cause);
                case State.Unreachable unreachable -> LOG.warn("The store of the records stopped answering", cause);
            }
        }
        state = next;
        return next;
    }
}
