package io.rask.catalog.platform;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Asks many places the same at once, a few at a time. */
public final class Fanout {
    private Fanout() {}

    /**
     * The answers in the order of the items. A single item is asked on the caller's own thread.
     *
     * @param width how many are asked at a time
     * @throws RuntimeException the first failure, in the order of the items, after all have ended
     */
    public static <T, R> List<R> map(Collection<T> items, int width, Function<T, R> question) {
        if (items.size() <= 1) {
            return items.stream().map(question).toList();
        }
        Semaphore turns = new Semaphore(width);
        List<Future<R>> asked = new ArrayList<>(items.size());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (T item : items) {
                turns.acquireUninterruptibly();
                asked.add(threads.submit(() -> {
                    try {
                        return question.apply(item);
                    } finally {
                        turns.release();
                    }
                }));
            }
        }
        return asked.stream().map(Fanout::answer).toList();
    }

    private static <R> R answer(Future<R> asked) {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            // All have ended by now, so nothing was waited for.
            throw new IllegalStateException(e);
        }
    }
}
