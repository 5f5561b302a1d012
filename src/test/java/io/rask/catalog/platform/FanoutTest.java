package io.rask.catalog.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FanoutTest {
    private static final int WIDTH = 4;

    @Test
    void answersComeInTheOrderOfTheItemsAndNoMoreAreAskedAtATimeThanAllowed() {
        List<Integer> items = IntStream.range(0, 100).boxed().toList();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Integer> answers = Fanout.map(items, WIDTH, item -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.yield();
            running.decrementAndGet();
            return item * 2;
        });
        assertThat(answers).isEqualTo(items.stream().map(item -> item * 2).toList());
        assertThat(most.get()).isBetween(1, WIDTH);
    }

    @Test
    void severalAreAskedAtTheSameTime() {
        CyclicBarrier together = new CyclicBarrier(WIDTH);
        assertThat(Fanout.map(List.of(1, 2, 3, 4), WIDTH, item -> {
                    try {
                        together.await(1, TimeUnit.MINUTES);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return item;
                }))
                .containsExactly(1, 2, 3, 4);
    }

    @Test
    void theFirstFailureIsThrownAfterAllHaveEnded() {
        AtomicInteger ended = new AtomicInteger();
        assertThatThrownBy(() -> Fanout.map(List.of(1, 2, 3), WIDTH, item -> {
                    ended.incrementAndGet();
                    if (item > 1) {
                        throw new IllegalArgumentException("item " + item);
                    }
                    return item;
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("item 2");
        assertThat(ended).hasValue(3);
    }

    @Test
    void nothingAskedIsNothingAnswered() {
        assertThat(Fanout.map(List.<Integer>of(), WIDTH, item -> item)).isEmpty();
    }
}
