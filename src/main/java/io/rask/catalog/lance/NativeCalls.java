package io.rask.catalog.lance;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The only way into native code. Calls run on platform threads with large stacks, because a deep filter overflows an ordinary
 * stack inside the library and takes the process with it, and because a native call pins a virtual thread's carrier. Metadata
 * calls and data streams have permits of their own, so that long scans never keep a describe waiting.
 *
 * <p>Native code cannot be stopped from outside. A call whose request has run out of time, or whose client has left, is abandoned:
 * its permit is free at once, its thread ends when the library lets go. Whatever such a call uses must therefore be closed by the
 * call itself, and must not be the container's.
 */
@Component
public final class NativeCalls implements DisposableBean {
    private static final long STACK_BYTES = 64L << 20;

    /** Abandoned calls that may still run; with more, the store hangs for everybody. */
    private static final int MOST_ABANDONED = 128;

    private static final long LOOK_MILLIS = 200;

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final Semaphore metadata;
    private final Semaphore streams;
    private final Duration queueWait;
    private final ExecutorService threads;

    public NativeCalls(CatalogProperties properties) {
        CatalogProperties.Limits limits = properties.limits();
        this.metadata = new Semaphore(limits.metadataCalls(), true);
        this.streams = new Semaphore(limits.streams(), true);
        this.queueWait = limits.queueWait();
        AtomicInteger counter = new AtomicInteger();
        this.threads = Executors.newCachedThreadPool(task -> new NativeThread(task, counter.incrementAndGet()));
    }

    /** Runs a short call on catalog or table metadata. */
    public <T> T metadata(Callable<T> call) {
        return run(metadata, call);
    }

    /** Runs a call that moves table data, for as long as the data flows. */
    public <T> T stream(Callable<T> call) {
        return run(streams, call);
    }

    /**
     * Runs a short call that several requests wait for: always on a thread of its own and with a bound of its own, so that it ends for
     * all of them whatever becomes of the request that began it.
     */
    public <T> T shared(Callable<T> call) {
        RequestBound mine = RequestBound.current();
        RequestBound.enter(mine.shared());
        try {
            return handOver(metadata, call);
        } finally {
            RequestBound.enter(mine);
        }
    }

    /** Whether the current thread runs such a call: what is called within it runs on the same thread. */
    public boolean isInside() {
        return Thread.currentThread() instanceof NativeThread;
    }

    /** Native calls that have begun and not ended, abandoned ones included. */
    public int running() {
        return running.get();
    }

    /** Data streams that could begin now. */
    public int freeStreams() {
        return streams.availablePermits();
    }

    private <T> T run(Semaphore permits, Callable<T> call) {
        return isInside() ? NativeErrors.translated(call) : handOver(permits, call);
    }

    private <T> T handOver(Semaphore permits, Callable<T> call) {
        RequestBound bound = RequestBound.current();
        acquire(permits, bound);
        try {
            AtomicBoolean left = new AtomicBoolean();
            return await(threads.submit(() -> counted(call, left, bound)), left, bound);
        } finally {
            permits.release();
        }
    }

    /** @param left set by whoever comes second: the end of the call, or the end of waiting for it */
    private <T> T counted(Callable<T> call, AtomicBoolean left, RequestBound bound) {
        running.incrementAndGet();
        RequestBound.enter(bound);
        try {
            return NativeErrors.translated(call);
        } finally {
            RequestBound.enter(null);
            running.decrementAndGet();
            if (left.getAndSet(true)) {
                abandoned.decrementAndGet();
            }
        }
    }

    private void acquire(Semaphore permits, RequestBound bound) {
        if (abandoned.get() >= MOST_ABANDONED) {
            throw CatalogException.unavailable("The object store does not answer; try again later.", null);
        }
        try {
            long wait = Math.min(queueWait.toMillis(), bound.left().toMillis());
            if (permits.tryAcquire(wait, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw CatalogException.of(
                        ErrorCode.THROTTLING, "The server is busy with other requests; try again in a moment.")
                .retryAfter(Duration.ofSeconds(1));
    }

    /** Waits to the end of the call, or of the request; an interruption alone is no reason to leave the call behind. */
    private <T> T await(Future<T> future, AtomicBoolean left, RequestBound bound) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    if (bound.isOver() || bound.clientGone()) {
                        abandon(left);
                    }
                } catch (CancellationException e) {
                    throw CatalogException.unavailable("The server is shutting down.", e);
                } catch (ExecutionException e) {
                    throw NativeErrors.translate(e.getCause() == null ? e : e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Leaves the call behind unless it ended this moment. */
    private void abandon(AtomicBoolean left) {
        abandoned.incrementAndGet();
        if (left.getAndSet(true)) {
            abandoned.decrementAndGet();
            return;
        }
        throw CatalogException.unavailable(
                "The request ran out of time and was cut. A change it asked for may still happen; look before you try again.",
                null);
    }

    @Override
    public void destroy() throws InterruptedException {
        threads.shutdown();
        threads.awaitTermination(10, TimeUnit.SECONDS);
    }

    private static final class NativeThread extends Thread {
        NativeThread(Runnable task, int number) {
            super(null, task, "native-" + number, STACK_BYTES);
            setDaemon(true);
        }
    }
}
