package io.rask.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which reads of a key that many write are true; times are plain numbers here. */
class KeyHistoryTest {
    private final KeyHistory history = new KeyHistory();

    private void written(long value, long begin, long end) {
        history.begin(value, begin);
        history.acknowledged(value, end);
    }

    @Test
    void aValueThatWasReplacedBeforeTheReadIsNotAllowed() {
        written(1, 10, 20);
        written(2, 30, 40);
        assertThat(history.allows(1, 50)).isFalse();
        assertThat(history.allows(2, 50)).isTrue();
    }

    @Test
    void aReadThatBeganDuringTheReplacementMaySeeEither() {
        written(1, 10, 20);
        written(2, 30, 40);
        assertThat(history.allows(1, 35)).isTrue();
        assertThat(history.allows(2, 35)).isTrue();
    }

    @Test
    void ofWritesAtTheSameTimeEitherMayBeTheLast() {
        written(1, 10, 30);
        written(2, 20, 40);
        assertThat(history.allows(1, 50)).isTrue();
        assertThat(history.allows(2, 50)).isTrue();
    }

    @Test
    void aWriteWithoutAnAnswerMayBeSeenAtAnyTimeAndNeedNot() {
        written(1, 10, 20);
        history.begin(2, 30);
        assertThat(history.allows(1, 500)).isTrue();
        assertThat(history.allows(2, 500)).isTrue();
    }

    @Test
    void aRefusedOrUnknownValueIsNeverThere() {
        written(1, 10, 20);
        history.begin(2, 30);
        history.refused(2);
        assertThat(history.allows(2, 50)).isFalse();
        assertThat(history.allows(3, 50)).isFalse();
        assertThat(history.allows(1, 50)).isTrue();
    }

    @Test
    void theKeyMustBeThereOnceAWriteWasAcknowledgedBeforeTheRead() {
        assertThat(history.isThere(100)).isFalse();
        history.begin(1, 10);
        assertThat(history.isThere(100)).isFalse();
        history.acknowledged(1, 20);
        assertThat(history.isThere(15)).isFalse();
        assertThat(history.isThere(21)).isTrue();
    }
}
