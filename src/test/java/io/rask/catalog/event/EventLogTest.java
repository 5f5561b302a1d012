package io.rask.catalog.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.FileRecordStore;
import io.rask.catalog.record.RecordStore;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.TestClock;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class EventLogTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock(START);
    private EventLog events;

    @BeforeEach
    void open() {
        events = newServer();
    }

    private EventLog newServer() {
        return new EventLog(new Records(new FileRecordStore(folder), clock), clock);
    }

    private static String batch() {
        return UUID.randomUUID().toString();
    }

    private ObjectNode event(String object) {
        return CloudEvent.of(
                new Happening(EventType.TABLE_CREATED, object, Map.of()),
                clock.instant(),
                Cause.request("ann", "request"));
    }

    private List<ObjectNode> some(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> event(prefix + i)).toList();
    }

    private static List<String> objects(EventLog.Page page) {
        return page.events().stream()
                .map(event -> event.at("/data/object").asString())
                .toList();
    }

    @Test
    void aCursorReadsOnWhereThePageEndedOnAnyServer() {
        events.append(batch(), some("a", 3));
        events.append(batch(), some("b", 2));
        EventLog.Page first = events.read(null, 2);
        assertThat(objects(first)).containsExactly("a0", "a1");
        EventLog.Page second = newServer().read(first.cursor(), 2);
        assertThat(objects(second)).containsExactly("a2", "b0");
        EventLog.Page third = events.read(second.cursor(), 2);
        assertThat(objects(third)).containsExactly("b1");
        EventLog.Page last = events.read(third.cursor(), 2);
        assertThat(last.events()).isEmpty();
        assertThat(last.cursor()).isEqualTo(third.cursor());
        newServer().append(batch(), some("c", 1));
        assertThat(objects(events.read(last.cursor(), 2))).containsExactly("c0");
        assertThat(List.of(first, second, third, last)).noneMatch(EventLog.Page::reset);
    }

    @Test
    void anEmptyLogHasAPlaceToBeginAt() {
        EventLog.Page empty = events.read(null, 10);
        assertThat(empty.events()).isEmpty();
        events.append(batch(), some("a", 1));
        assertThat(objects(events.read(empty.cursor(), 10))).containsExactly("a0");
    }

    /** As after an answer of the store that was lost. */
    @Test
    void aBatchThatIsRepeatedIsThereOnce() {
        String batch = batch();
        events.append(batch, some("a", 2));
        newServer().append(batch(), some("b", 1));
        EventLog restarted = newServer();
        restarted.append(batch(), some("c", 1));
        String again = batch();
        List<ObjectNode> told = some("d", 1);
        EventLog blind = newServer();
        events.append(again, told);
        // This one does not know yet that there is more, and finds its own batch there.
        blind.append(again, told);
        assertThat(objects(events.read(null, 100)))
                .containsOnlyOnce("a0", "a1", "b0", "c0")
                .contains("d0");
    }

    @Test
    void severalServersWriteOneOrderThatNoReaderSeesWithAGap() throws Exception {
        int lanes = 4;
        int batches = 40;
        AtomicInteger writing = new AtomicInteger(lanes);
        List<String> followed = new ArrayList<>();
        try (Race race = new Race(lanes + 1)) {
            race.run(runner -> {
                if (runner == lanes) {
                    String cursor = null;
                    boolean last;
                    do {
                        last = writing.get() == 0;
                        EventLog.Page page = events.read(cursor, 7);
                        followed.addAll(objects(page));
                        cursor = page.cursor();
                        last &= page.events().isEmpty();
                    } while (!last);
                } else {
                    EventLog server = newServer();
                    for (int i = 0; i < batches; i++) {
                        append(server, some("lane" + runner + "-" + i + "-", 1 + i % 3));
                    }
                    writing.decrementAndGet();
                }
                return runner;
            });
        }
        List<String> all = objects(newServer().read(null, 10_000));
        assertThat(followed).isEqualTo(all).doesNotHaveDuplicates();
        for (int lane = 0; lane < lanes; lane++) {
            String prefix = "lane" + lane + "-";
            List<String> own =
                    all.stream().filter(name -> name.startsWith(prefix)).toList();
            List<String> wanted = IntStream.range(0, batches)
                    .boxed()
                    .flatMap(i -> IntStream.range(0, 1 + i % 3).mapToObj(j -> prefix + i + "-" + j))
                    .toList();
            assertThat(own).isEqualTo(wanted);
        }
    }

    /** As the server's own writer does: the same batch again until the log takes it. */
    private static void append(EventLog log, List<ObjectNode> told) {
        String batch = batch();
        while (true) {
            try {
                log.append(batch, told);
                return;
            } catch (CatalogException e) {
                assertThat(e.code()).isIn(ErrorCode.CONCURRENT_MODIFICATION, ErrorCode.SERVICE_UNAVAILABLE);
            }
        }
    }

    @Test
    void aServerThatStartsGoesOnAtTheEnd() {
        for (int i = 0; i < 300; i++) {
            events.append(batch(), some("e" + i + "-", 1));
        }
        newServer().append(batch(), some("last", 1));
        List<String> all = objects(events.read(null, 1000));
        assertThat(all).hasSize(301).endsWith("last0");
        assertThat(newServer().read(newServer().end(), 10).events()).isEmpty();
    }

    @Test
    void whatIsForgottenIsToldToWhoStillWantedItAndTheNumbersGoOn() {
        events.append(batch(), some("old", 2));
        String cursor = events.read(null, 1).cursor();
        String end = events.end();
        clock.advance(Duration.ofDays(8));
        events.append(batch(), some("new", 1));
        events.forget(clock.instant().minus(Duration.ofDays(7)), 1000);
        EventLog.Page late = events.read(cursor, 10);
        assertThat(objects(late)).containsExactly("new0");
        assertThat(late.reset()).isTrue();
        EventLog.Page inTime = events.read(end, 10);
        assertThat(objects(inTime)).containsExactly("new0");
        assertThat(inTime.reset()).isFalse();
        clock.advance(Duration.ofDays(30));
        events.forget(clock.instant(), 1000);
        newServer().append(batch(), some("newer", 1));
        assertThat(objects(events.read(inTime.cursor(), 10))).containsExactly("newer0");
    }

    @Test
    void moreThanSoManySegmentsAreNotKept() {
        for (int i = 0; i < 20; i++) {
            events.append(batch(), some("e" + i + "-", 1));
        }
        clock.advance(Duration.ofHours(1));
        events.forget(START.minus(Duration.ofDays(1)), 5);
        assertThat(objects(events.read(null, 100))).hasSize(5).endsWith("e19-0");
    }

    @Test
    void muchIsForgottenInSeveralRounds() {
        for (int i = 0; i < EventLog.FORGOTTEN_AT_ONCE + 50; i++) {
            events.append(batch(), some("e" + i + "-", 1));
        }
        clock.advance(Duration.ofDays(8));
        assertThat(events.forget(clock.instant(), 1000)).isTrue();
        assertThat(objects(events.read(null, 1000))).hasSize(50);
        assertThat(events.forget(clock.instant(), 1000)).isFalse();
        assertThat(objects(events.read(null, 1000))).hasSize(1);
    }

    @Test
    void whatIsFromJustNowIsKeptHoweverMuchItIs() {
        for (int i = 0; i < 20; i++) {
            events.append(batch(), some("e" + i + "-", 1));
        }
        events.forget(clock.instant(), 5);
        assertThat(objects(events.read(null, 100))).hasSize(20);
    }

    @Test
    void aServerThatWasQuietLongerThanEventsAreKeptGoesOnAtTheEnd() {
        EventLog quiet = newServer();
        quiet.append(batch(), some("first", 1));
        for (int i = 0; i < 300; i++) {
            events.append(batch(), some("e" + i + "-", 1));
        }
        String cursor = events.end();
        clock.advance(Duration.ofDays(8));
        boolean more = true;
        while (more) {
            more = events.forget(clock.instant().minus(Duration.ofDays(7)), 1000);
        }
        quiet.append(batch(), some("late", 1));
        EventLog.Page page = events.read(cursor, 10);
        assertThat(objects(page)).containsExactly("late0");
        assertThat(page.reset()).isFalse();
        assertThat(objects(events.read(null, 10))).containsExactly("e299-0", "late0");
        assertThat(newServer().end()).isEqualTo(page.cursor());
    }

    /** The store took the batch and did not say so, others went on, and the repeat comes when the end is looked for anew. */
    @Test
    void aBatchThatIsRepeatedAfterALongWhileIsThereOnce() {
        AtomicBoolean lost = new AtomicBoolean();
        EventLog unlucky = new EventLog(new Records(losing(lost), clock), clock);
        unlucky.append(batch(), some("a", 1));
        String batch = batch();
        List<ObjectNode> told = some("b", 1);
        lost.set(true);
        assertThatThrownBy(() -> unlucky.append(batch, told)).isInstanceOf(CatalogException.class);
        lost.set(false);
        newServer().append(batch(), some("c", 1));
        clock.advance(Duration.ofHours(1));
        unlucky.append(batch, told);
        unlucky.append(batch(), some("d", 1));
        assertThat(objects(events.read(null, 100))).containsExactly("a0", "b0", "c0", "d0");
    }

    /** A store that carries out writes without saying so while it is told to. */
    private RecordStore losing(AtomicBoolean lost) {
        RecordStore files = new FileRecordStore(folder);
        return (RecordStore) Proxy.newProxyInstance(
                RecordStore.class.getClassLoader(), new Class<?>[] {RecordStore.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(files, arguments);
                    if (lost.get() && method.getName().equals("createIfAbsent")) {
                        throw CatalogException.of(ErrorCode.SERVICE_UNAVAILABLE, "The answer is lost.");
                    }
                    return answer;
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1", "1-", "-1-0", "1-0-0", "9999999999999-0"})
    void aCursorThatWasNeverToldIsRefused(String cursor) {
        assertThatThrownBy(() -> events.read(cursor, 10))
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT));
    }
}
