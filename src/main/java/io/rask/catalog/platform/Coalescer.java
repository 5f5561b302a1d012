package io.rask.catalog.platform;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares one check between requests that need its answer to be fresh. One check runs at a time; a request never shares a check
 * that began before the request arrived, because its answer may already be old, but waits for the next one together with all
 * others that arrived meanwhile.
 *
 * @param <T> the answer
 */
public final class Coalescer<T> {
    private final Supplier<T> check;
    private @Nullable CompletableFuture<T> running;
    private @Nullable CompletableFuture<T> next;

    public Coalescer(Supplier<T> check) {
        this.check = check;
    }

    /** The answer of a check that began after this call. */
    public T fresh() {
        CompletableFuture<T> mine;
        CompletableFuture<T> ahead;
        boolean leads;
        synchronized (this) {
            leads = next == null;
            if (next == null) {
                next = new CompletableFuture<>();
            }
            mine = next;
            ahead = running;
        }
        if (leads) {
            lead(mine, ahead);
        }
        return await(mine);
    }

    private void lead(CompletableFuture<T> mine, @Nullable CompletableFuture<T> ahead) {
        if (ahead != null) {
            ahead.handle((answer, failure) -> true).join();
        }
        synchronized (this) {
            next = null;
            running = mine;
        }
        try {
            mine.complete(check.get());
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
        } finally {
            synchronized (this) {
                if (running == mine) {
                    running = null;
                }
            }
        }
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw e;
        }
    }
}
