package io.rask.catalog.testing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A fault for the requests a predicate matches: for the first so many, or for all until the rule is closed. */
public final class FaultRule implements AutoCloseable {
    private final Predicate<S3Request> match;
    private final Fault fault;
    private final int limit;
    private final AtomicInteger hits = new AtomicInteger();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    FaultRule(Predicate<S3Request> match, Fault fault, int limit) {
        this.match = match;
        this.fault = fault;
        this.limit = limit;
    }

    /** A request as a rule sees it: its method, its undecoded path with the bucket in front, and its query. */
    public record S3Request(String method, String path, String query) {
        public boolean isWrite() {
            return !method.equals("GET") && !method.equals("HEAD");
        }
    }

    /** How many requests the rule was applied to so far. */
    public int hits() {
        return Math.min(hits.get(), limit);
    }

    /** Ends the rule; requests it delays go on at once. */
    @Override
    public void close() {
        closed.complete(null);
    }

    Fault fault() {
        return fault;
    }

    boolean takes(S3Request request) {
        return !closed.isDone() && match.test(request) && hits.incrementAndGet() <= limit;
    }

    void await(Duration delay) {
        closed.copy()
                .completeOnTimeout(null, delay.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
