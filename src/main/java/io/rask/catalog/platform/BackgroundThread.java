package io.rask.catalog.platform;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One loop of {@link Background} that a bean starts with the server and stops with it. */
public final class BackgroundThread {
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile @Nullable Thread thread;

    public void start(String name, Background.Loop loop) {
        thread = Background.start(name, loop);
    }

    public boolean isRunning() {
        return thread != null;
    }

    /**
     * For the loop: waits between two rounds.
     *
     * @return whether the loop is to end
     */
    public boolean awaitStop(Duration pause) throws InterruptedException {
        return stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Tells the loop to end, and waits for that no longer than given. */
    public void stop(Duration patience) {
        Thread running = thread;
        if (running == null) {
            return;
        }
        thread = null;
        stop.countDown();
        try {
            running.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
