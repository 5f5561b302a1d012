package io.rask.catalog.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CoalescerTest {
    private final AtomicInteger world = new AtomicInteger();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger out = new AtomicInteger();

    private CountDownLatch release = new CountDownLatch(0);
    private final Coalescer<Integer> coalescer = new Coalescer<>(this::look);

    /** Reads the world, checks that no other question is out, and holds the answer back until it may go. */
    private int look() {
        assertThat(out.incrementAndGet()).isEqualTo(1);
        questions.incrementAndGet();
        int seen = world.get();
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        out.decrementAndGet();
        return seen;
    }

    @Test
    void thoseWhoComeWhileAQuestionIsOutShareTheNextOne() throws Exception {
        release = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            CompletableFuture<Integer> first = CompletableFuture.supplyAsync(coalescer::fresh, threads);
            await().until(() -> questions.get() == 1);
            world.set(1);
            List<CompletableFuture<Integer>> late = new ArrayList<>();
            CountDownLatch arrived = new CountDownLatch(10);
            for (int i = 0; i < 10; i++) {
                late.add(CompletableFuture.supplyAsync(
                        () -> {
                            arrived.countDown();
                            return coalescer.fresh();
                        },
                        threads));
            }
            arrived.await();
            assertThat(late).noneMatch(CompletableFuture::isDone);
            release.countDown();
            assertThat(first.get()).isZero();
            for (CompletableFuture<Integer> answer : late) {
                assertThat(answer.get())
                        .as("nobody gets an answer that was old when he asked")
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void noAnswerIsEverOlderThanItsQuestionHoweverManyAsk() throws Exception {
        try (Race race = new Race(16)) {
            race.run(runner -> {
                for (int i = 0; i < 2000; i++) {
                    int before = world.incrementAndGet();
                    assertThat(coalescer.fresh()).isGreaterThanOrEqualTo(before);
                }
                return runner;
            });
        }
        assertThat(questions.get()).isLessThanOrEqualTo(16 * 2000);
    }

    @Test
    void aFailureIsSharedAndTheNextQuestionIsAskedAnew() {
        AtomicInteger asked = new AtomicInteger();
        Coalescer<Integer> failsOnce = new Coalescer<>(() -> {
            if (asked.getAndIncrement() == 0) {
                throw new IllegalStateException("down");
            }
            return 1;
        });
        assertThatThrownBy(failsOnce::fresh)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("down");
        assertThat(failsOnce.fresh()).isEqualTo(1);
    }
}
