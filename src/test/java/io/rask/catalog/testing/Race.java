package io.rask.catalog.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that all begin at the same moment. Kept over many rounds, so that starting threads does not spread them out. */
public final class Race implements AutoCloseable {
    private final int runners;
    private final Duration patience;
    private final ExecutorService threads;

    public Race(int runners) {
        this(runners, Duration.ofMinutes(5));
    }

    /** @param patience after which a round that has not ended is broken off */
    public Race(int runners, Duration patience) {
        this.patience = patience;
        this.runners = runners;
        this.threads = Executors.newFixedThreadPool(runners);
    }

    /** What one runner does. */
    @FunctionalInterface
    public interface Lane<T> {
        /** @param runner the number of the runner, from 0 */
        T run(int runner) throws Exception;
    }

    /** Runs one round; the results are in the order of the runners. A runner's failure fails the round. */
    public <T> List<T> run(Lane<T> lane) throws Exception {
        CyclicBarrier start = new CyclicBarrier(runners);
        List<Callable<T>> calls = new ArrayList<>();
        for (int i = 0; i < runners; i++) {
            int runner = i;
            calls.add(() -> {
                start.await(1, TimeUnit.MINUTES);
                return lane.run(runner);
            });
        }
        List<T> results = new ArrayList<>();
        for (Future<T> result : threads.invokeAll(calls, patience.toSeconds(), TimeUnit.SECONDS)) {
            results.add(result.get());
        }
        return results;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
