package io.rask.catalog.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.record.RecordStore.Listed;
import io.rask.catalog.record.RecordStore.Page;
import io.rask.catalog.record.RecordStore.Revalidated;
import io.rask.catalog.record.RecordStore.StoredBytes;
import io.rask.catalog.record.RecordStore.WriteOutcome;
import io.rask.catalog.testing.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every {@link RecordStore} must do. A class that implements this runs it all. */
interface RecordStoreContract {
    int WRITERS = 16;

    /** A store that other tests may have written to. */
    RecordStore store();

    /** A folder no other test uses. */
    static String newFolder() {
        return "t-" + UUID.randomUUID();
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static WriteOutcome.Written written(WriteOutcome outcome) {
        assertThat(outcome).isInstanceOf(WriteOutcome.Written.class);
        return (WriteOutcome.Written) outcome;
    }

    private StoredBytes stored(RecordKey key) {
        return store().read(key).orElseThrow();
    }

    @Test
    default void aKeyNobodyWroteReadsAsAbsent() {
        assertThat(store().read(RecordKey.of(newFolder(), "nothing"))).isEmpty();
    }

    @Test
    default void whatWasCreatedReadsBackUnderTheEtagOfTheWrite() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        WriteOutcome.Written written = written(store().createIfAbsent(key, bytes("eins")));
        assertThat(stored(key).bytes()).isEqualTo(bytes("eins"));
        assertThat(stored(key).etag()).isEqualTo(written.etag());
    }

    @Test
    default void createIfAbsentLosesAgainstAnExistingRecordAndLeavesIt() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        written(store().createIfAbsent(key, bytes("first")));
        assertThat(store().createIfAbsent(key, bytes("second"))).isInstanceOf(WriteOutcome.Lost.class);
        assertThat(stored(key).bytes()).isEqualTo(bytes("first"));
    }

    @Test
    default void replaceIfMatchWritesUnderTheCurrentEtag() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        WriteOutcome.Written first = written(store().createIfAbsent(key, bytes("first")));
        WriteOutcome.Written second = written(store().replaceIfMatch(key, bytes("second"), first.etag()));
        assertThat(second.etag()).isNotEqualTo(first.etag());
        assertThat(stored(key).bytes()).isEqualTo(bytes("second"));
        assertThat(stored(key).etag()).isEqualTo(second.etag());
    }

    @Test
    default void replaceIfMatchLosesUnderAnOldEtagAndLeavesTheRecord() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        WriteOutcome.Written first = written(store().createIfAbsent(key, bytes("first")));
        written(store().replaceIfMatch(key, bytes("second"), first.etag()));
        assertThat(store().replaceIfMatch(key, bytes("third"), first.etag())).isInstanceOf(WriteOutcome.Lost.class);
        assertThat(stored(key).bytes()).isEqualTo(bytes("second"));
    }

    @Test
    default void replaceIfMatchLosesWhereThereIsNoRecordAndMakesNone() {
        String folder = newFolder();
        WriteOutcome.Written other = written(store().createIfAbsent(RecordKey.of(folder, "other"), bytes("x")));
        RecordKey key = RecordKey.of(folder, "a");
        assertThat(store().replaceIfMatch(key, bytes("y"), other.etag())).isInstanceOf(WriteOutcome.Lost.class);
        assertThat(store().read(key)).isEmpty();
    }

    @Test
    default void readIfChangedTellsUnchangedChangedAndAbsentApart() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        String first = written(store().createIfAbsent(key, bytes("first"))).etag();
        assertThat(store().readIfChanged(key, first)).isInstanceOf(Revalidated.Unchanged.class);
        written(store().replaceIfMatch(key, bytes("other"), first));
        assertThat(store().readIfChanged(key, first))
                .isInstanceOfSatisfying(
                        Revalidated.Changed.class,
                        changed -> assertThat(changed.stored().bytes()).isEqualTo(bytes("other")));
        assertThat(store().readIfChanged(RecordKey.of(newFolder(), "none"), first))
                .isInstanceOf(Revalidated.Absent.class);
    }

    @Test
    default void readIfChangedSeesEveryOneOfManyQuickWritesOfTheSameLength() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        String etag = written(store().createIfAbsent(key, bytes("1000"))).etag();
        for (int i = 1001; i < 1050; i++) {
            String next = written(store().replaceIfMatch(key, bytes(String.valueOf(i)), etag))
                    .etag();
            assertThat(store().readIfChanged(key, etag)).isInstanceOf(Revalidated.Changed.class);
            assertThat(store().readIfChanged(key, next)).isInstanceOf(Revalidated.Unchanged.class);
            etag = next;
        }
    }

    @Test
    default void aLargeRecordKeepsItsBytes() {
        RecordKey key = RecordKey.of(newFolder(), "large");
        byte[] large = new byte[1 << 20];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31);
        }
        written(store().createIfAbsent(key, large));
        assertThat(stored(key).bytes()).isEqualTo(large);
    }

    @Test
    default void aRecordBeyondTheLargestSizeIsRefused() {
        RecordKey key = RecordKey.of(newFolder(), "huge");
        assertThatThrownBy(() -> store().createIfAbsent(key, new byte[RecordStore.MAX_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key.value());
        assertThat(store().read(key)).isEmpty();
    }

    @Test
    default void aListHasTheKeysOfItsPrefixInByteOrderWithTheEtagsReadsGive() {
        String folder = newFolder();
        List<String> keys = Stream.of(
                        "b.json", "a.json", "a-b.json", "a_b.json", "a/z.json", "a.b.json", "0.json", "ab/c/d.json")
                .map(name -> folder + "/" + name)
                .toList();
        keys.forEach(key -> written(store().createIfAbsent(new RecordKey(key), bytes(key))));
        written(store().createIfAbsent(RecordKey.of(folder + "x", "other"), bytes("other")));

        List<Listed> listed = all(folder + "/", 1000);
        assertThat(listed)
                .extracting(entry -> entry.key().value())
                .containsExactlyElementsOf(keys.stream().sorted().toList());
        assertThat(listed)
                .allSatisfy(entry ->
                        assertThat(entry.etag()).isEqualTo(stored(entry.key()).etag()));
        assertThat(all(folder + "/a", 1000)).hasSize(6);
    }

    @Test
    default void aListOverMoreThanAThousandKeysHasNoGapsAndNoRepeats() throws Exception {
        String folder = newFolder();
        int count = 1103;
        AtomicInteger next = new AtomicInteger();
        try (Race race = new Race(8)) {
            race.run(runner -> {
                for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    written(store().createIfAbsent(RecordKey.of(folder, "k" + i), bytes("{}" + i)));
                }
                return runner;
            });
        }
        List<String> expected = IntStream.range(0, count)
                .mapToObj(i -> folder + "/k" + i + ".json")
                .sorted()
                .toList();
        for (int limit : new int[] {1000, 97}) {
            assertThat(all(folder + "/", limit))
                    .extracting(entry -> entry.key().value())
                    .containsExactlyElementsOf(expected);
        }
    }

    @Test
    default void aListOfAPrefixWithoutKeysIsOneEmptyPage() {
        Page page = store().list(newFolder() + "/", null, 10);
        assertThat(page.entries()).isEmpty();
        assertThat(page.next()).isNull();
    }

    @Test
    default void everyRaceToCreateHasExactlyOneWinnerWhoseContentStays() throws Exception {
        String folder = newFolder();
        try (Race race = new Race(WRITERS)) {
            for (int round = 0; round < 30; round++) {
                RecordKey key = RecordKey.of(folder, "round-" + round);
                List<WriteOutcome> outcomes =
                        race.run(runner -> store().createIfAbsent(key, bytes("runner " + runner)));
                assertOneWinner(key, outcomes);
            }
        }
    }

    @Test
    default void everyRaceToReplaceHasExactlyOneWinnerWhoseContentStays() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "a");
        written(store().createIfAbsent(key, bytes("start")));
        try (Race race = new Race(WRITERS)) {
            for (int round = 0; round < 30; round++) {
                String etag = stored(key).etag();
                String content = "round " + round + " runner ";
                List<WriteOutcome> outcomes =
                        race.run(runner -> store().replaceIfMatch(key, bytes(content + runner), etag));
                assertOneWinner(key, outcomes);
            }
        }
    }

    private void assertOneWinner(RecordKey key, List<WriteOutcome> outcomes) {
        List<Integer> winners = IntStream.range(0, WRITERS)
                .filter(runner -> outcomes.get(runner) instanceof WriteOutcome.Written)
                .boxed()
                .toList();
        assertThat(winners).hasSize(1);
        assertThat(outcomes).filteredOn(WriteOutcome.Lost.class::isInstance).hasSize(WRITERS - 1);
        assertThat(new String(stored(key).bytes(), UTF_8)).endsWith("runner " + winners.getFirst());
    }

    @Test
    default void aCounterOfManyWritersLosesNothing() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "counter");
        written(store().createIfAbsent(key, bytes("0")));
        int each = 10;
        try (Race race = new Race(WRITERS)) {
            race.run(runner -> {
                for (int done = 0; done < each; ) {
                    StoredBytes before = stored(key);
                    int value = Integer.parseInt(new String(before.bytes(), UTF_8));
                    byte[] after = bytes(String.valueOf(value + 1));
                    if (store().replaceIfMatch(key, after, before.etag()) instanceof WriteOutcome.Written) {
                        done++;
                    }
                }
                return runner;
            });
        }
        assertThat(stored(key).bytes()).isEqualTo(bytes(String.valueOf(WRITERS * each)));
    }

    @Test
    default void onlyWhatNobodyWritesAgainCanBeDiscarded() {
        RecordKey probe = RecordKey.probe();
        written(store().createIfAbsent(probe, bytes("probe")));
        store().discard(probe);
        assertThat(store().read(probe)).isEmpty();
        assertThatThrownBy(() -> store().discard(RecordKey.of("_projects", "acme")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private List<Listed> all(String prefix, int limit) {
        List<Listed> entries = new ArrayList<>();
        @Nullable String after = null;
        do {
            Page page = store().list(prefix, after, limit);
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
            entries.addAll(page.entries());
            after = page.next();
        } while (after != null);
        return entries;
    }
}
