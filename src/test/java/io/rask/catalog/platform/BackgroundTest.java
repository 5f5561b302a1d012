package io.rask.catalog.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BackgroundTest {
    @Test
    void aLoopThatAnErrorEndsBeginsAgainAndIsCounted() {
        long before = Background.failures().get();
        AtomicInteger begun = new AtomicInteger();
        Thread loop = Background.start("loop-of-a-test", () -> {
            if (begun.incrementAndGet() < 3) {
                throw new OutOfMemoryError("not really");
            }
        });
        await().until(() -> !loop.isAlive());
        assertThat(begun).hasValue(3);
        assertThat(Background.failures().get()).isGreaterThanOrEqualTo(before + 2);
    }

    @Test
    void aLoopThatIsInterruptedEnds() {
        AtomicInteger begun = new AtomicInteger();
        Thread loop = Background.start("loop-of-a-test", () -> {
            begun.incrementAndGet();
            new CountDownLatch(1).await();
        });
        loop.interrupt();
        await().until(() -> !loop.isAlive());
        assertThat(begun.get()).isLessThanOrEqualTo(1);
    }

    @Test
    void aTaskThatFailsIsRunAgain() throws Exception {
        CountDownLatch thrice = new CountDownLatch(3);
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            timer.scheduleWithFixedDelay(
                    Background.task("Tried again.", () -> {
                        thrice.countDown();
                        throw new NoClassDefFoundError("not really");
                    }),
                    0,
                    1,
                    TimeUnit.MILLISECONDS);
            assertThat(thrice.await(30, TimeUnit.SECONDS)).isTrue();
            timer.shutdownNow();
        }
    }
}
