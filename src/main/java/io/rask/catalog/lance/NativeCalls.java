package io.rask.catalog.lance;

import io.rask.catalog.platform.CatalogProperties;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The only way into native code. Calls run on platform threads with large stacks, because a deep filter overflows an ordinary
 * stack inside the library and takes the process with it, and because a native call pins a virtual thread's carrier. Metadata
 * calls and data streams have permits of their own, so that long scans never keep a describe waiting.
 */
@Component
public final class NativeCalls implements DisposableBean {
    private static final long STACK_BYTES = 64L << 20;

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

    private <T> T run(Semaphore permits, Callable<T> call) {
        if (Thread.currentThread() instanceof NativeThread) {
            return NativeErrors.translated(call);
        }
        acquire(permits);
        try {
            return await(threads.submit(() -> NativeErrors.translated(call)));
        } finally {
            permits.release();
        }
    }

    private void acquire(Semaphore permits) {
        try {
            if (permits.tryAcquire(queueWait.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw CatalogException.of(
                        ErrorCode.THROTTLING, "The server is busy with other requests; try again in a moment.")
                .retryAfter(Duration.ofSeconds(1));
    }

    /** Waits to the end even when interrupted: a permit must not be released while native code still runs. */
    private static <T> T await(Future<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
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
