package io.rask.catalog.record;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares one question among the threads that ask it at the same time; per key at most one is out. An answer goes only to those
 * who asked before the question was put: whoever comes later waits for the next one, so nobody gets an answer that was already
 * old when he asked.
 */
final class Coalescer<K, V> {
    private final Map<K, Line<V>> lines = new HashMap<>();

    /** The question that is out, and the one that waits for its turn. */
    private static final class Line<V> {
        private CompletableFuture<V> out = new CompletableFuture<>();
        private @Nullable CompletableFuture<V> waiting;
    }

    /**
     * A thread's place in the line.
     *
     * @param leads whether this thread puts the question for all who share the answer
     * @param ahead the question to wait for before
     */
    private record Place<V>(
            CompletableFuture<V> answer,
            boolean leads,
            @Nullable CompletableFuture<V> ahead) {}

    /** The answer to a question put after this call began, by this thread or by another. */
    V ask(K key, Supplier<V> question) {
        Place<V> place = join(key);
        if (place.leads()) {
            lead(key, place, question);
        }
        try {
            return place.answer().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private Place<V> join(K key) {
        synchronized (lines) {
            Line<V> line = lines.get(key);
            if (line == null) {
                line = new Line<>();
                lines.put(key, line);
                return new Place<>(line.out, true, null);
            }
            if (line.waiting != null) {
                return new Place<>(line.waiting, false, null);
            }
            line.waiting = new CompletableFuture<>();
            return new Place<>(line.waiting, true, line.out);
        }
    }

    private void lead(K key, Place<V> place, Supplier<V> question) {
        if (place.ahead() != null) {
            place.ahead().handle((answer, failure) -> true).join();
        }
        try {
            V answer = question.get();
            leave(key);
            place.answer().complete(answer);
        } catch (Throwable e) { // those who share the answer must not wait for ever, whatever it was
            leave(key);
            place.answer().completeExceptionally(e);
        }
    }

    /** Gives the turn to the question that waits, before the threads that wait for this one go on. */
    private void leave(K key) {
        synchronized (lines) {
            Line<V> line = lines.get(key);
            if (line == null || line.waiting == null) {
                lines.remove(key);
            } else {
                line.out = line.waiting;
                line.waiting = null;
            }
        }
    }
}
