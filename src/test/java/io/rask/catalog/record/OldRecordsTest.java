package io.rask.catalog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.testing.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** What is old goes a little at a time. */
class OldRecordsTest {
    private static final String FOLDER = "_idempotency";
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private TestClock clock;
    private Records records;

    @BeforeEach
    void open() {
        clock = new TestClock(START);
        records = new Records(new FileRecordStore(folder), clock);
    }

    private void write(String prefix, int count) {
        for (int i = 0; i < count; i++) {
            records.create(RecordKey.of(FOLDER, "%s-%04d".formatted(prefix, i)), JsonNodeFactory.instance.objectNode());
        }
    }

    private int left() {
        return records.all(FOLDER, Records.Unreadable.FAIL).size();
    }

    @Test
    void oneRoundLooksAtSoManyAndTheNextGoesOnBehindThem() {
        write("a", OldRecords.AT_ONCE + 50);
        clock.advance(Duration.ofDays(1));
        write("b", 3);
        OldRecords old = new OldRecords(records, FOLDER, false);
        Instant before = START.plusSeconds(1);
        assertThat(old.forget(before)).isTrue();
        assertThat(left()).isEqualTo(53);
        assertThat(old.forget(before)).isFalse();
        assertThat(left()).isEqualTo(3);
        assertThat(old.forget(before)).isFalse();
        assertThat(left()).isEqualTo(3);
    }

    @Test
    void youngOnesInTheFirstRoundDoNotHideOldOnesBehindThem() {
        write("z", 10);
        clock.advance(Duration.ofDays(1));
        write("a", OldRecords.AT_ONCE);
        OldRecords old = new OldRecords(records, FOLDER, false);
        while (old.forget(START.plusSeconds(1))) {
            assertThat(left()).isEqualTo(OldRecords.AT_ONCE + 10);
        }
        assertThat(left()).isEqualTo(OldRecords.AT_ONCE);
    }

    @Test
    void everyWalkComesToItsEndBeforeTheNextBeginsAndThenAllBeginAnew() {
        List<String> rounds = new ArrayList<>();
        int[] first = {2};
        Forgetting forgetting = new Forgetting(List.of(
                () -> {
                    rounds.add("first");
                    return --first[0] > 0;
                },
                () -> {
                    rounds.add("second");
                    return false;
                }));
        while (forgetting.round()) {
            assertThat(rounds).hasSizeLessThan(10);
        }
        assertThat(rounds).containsExactly("first", "first", "second");
        assertThat(forgetting.round()).isTrue();
        assertThat(rounds).endsWith("second", "first");
    }

    @Test
    void aWalkThatAlwaysFailsKeepsNoOtherFromItsRound() {
        List<String> rounds = new ArrayList<>();
        Forgetting forgetting = new Forgetting(List.of(
                () -> {
                    throw new IllegalStateException("unreadable");
                },
                () -> rounds.add("second") && rounds.size() < 2));
        assertThatThrownBy(forgetting::round).hasMessage("unreadable");
        assertThat(forgetting.round()).isTrue();
        assertThat(forgetting.round()).isFalse();
        assertThat(rounds).containsExactly("second", "second");
        assertThatThrownBy(forgetting::round).hasMessage("unreadable");
    }
}
