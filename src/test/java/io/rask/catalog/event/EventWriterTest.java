package io.rask.catalog.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.FileRecordStore;
import io.rask.catalog.record.RecordStore;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.Settings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventWriterTest {
    @TempDir
    Path folder;

    private RecordStore failingOnce(Supplier<Throwable> failure) {
        AtomicBoolean failed = new AtomicBoolean();
        return wrapped(new FileRecordStore(folder), () -> failed.compareAndSet(false, true) ? failure.get() : null);
    }

    @Test
    void whatNobodyExpectsDoesNotEndTheWriter() throws Exception {
        isWrittenInSpiteOf(() -> new IllegalStateException("Nobody expects this."));
    }

    @Test
    void anErrorDoesNotEndTheWriter() throws Exception {
        isWrittenInSpiteOf(() -> new OutOfMemoryError("not really"));
    }

    private void isWrittenInSpiteOf(Supplier<Throwable> failure) throws Exception {
        EventLog log = new EventLog(new Records(failingOnce(failure), Clock.systemUTC()), Clock.systemUTC());
        Events events = new Events(log, Clock.systemUTC(), Settings.of(Map.of()));
        events.happened(
                List.of(new Happening(EventType.TABLE_CREATED, "a", Map.of())), Cause.request("ann", "request"));
        await().until(() -> events.waiting() == 0);
        assertThat(log.read(null, 10).events()).hasSize(1);
        events.destroy();
    }

    /** As a server leaves it that is killed while the log takes nothing: what was written is there, what waited is not. */
    @Test
    void aServerThatIsKilledInAnOutageLosesWhatWaitedAndNothingElse() throws Exception {
        AtomicBoolean out = new AtomicBoolean();
        EventLog log = new EventLog(new Records(refusingWhile(out), Clock.systemUTC()), Clock.systemUTC());
        Events killed = new Events(log, Clock.systemUTC(), Settings.of(Map.of("lance.events.buffer", "3")));
        tell(killed, "written");
        out.set(true);
        for (int i = 0; i < 5; i++) {
            tell(killed, "waiting-" + i);
        }
        assertThat(killed.waiting()).isEqualTo(3);
        assertThat(killed.lost()).isEqualTo(2);

        EventLog next = new EventLog(new Records(new FileRecordStore(folder), Clock.systemUTC()), Clock.systemUTC());
        Events other = new Events(next, Clock.systemUTC(), Settings.of(Map.of()));
        tell(other, "after");
        assertThat(objects(next)).containsExactly("written", "after");
        other.destroy();

        // One that is not killed makes up for it.
        out.set(false);
        await().until(() -> killed.waiting() == 0);
        assertThat(objects(next)).containsExactly("written", "after", "waiting-0", "waiting-1", "waiting-2");
        killed.destroy();
    }

    /** Its last attempt at the end is one, and no storm. */
    @Test
    void aServerThatStopsInAnOutageTriesOnceMoreAndEnds() throws Exception {
        AtomicBoolean out = new AtomicBoolean(true);
        AtomicInteger asked = new AtomicInteger();
        RecordStore store = refusingWhile(out);
        RecordStore counting = wrapped(store, () -> {
            asked.incrementAndGet();
            return null;
        });
        Events events = new Events(
                new EventLog(new Records(counting, Clock.systemUTC()), Clock.systemUTC()),
                Clock.systemUTC(),
                Settings.of(Map.of("lance.events.patience", "0s")));
        tell(events, "waiting");
        await().until(() -> asked.get() > 0);
        int before = asked.get();
        events.destroy();
        assertThat(asked.get() - before).isLessThan(20);
    }

    private static void tell(Events events, String object) {
        events.happened(
                List.of(new Happening(EventType.TABLE_CREATED, object, Map.of())), Cause.request("ann", "request"));
    }

    private static List<String> objects(EventLog log) {
        return log.read(null, 100).events().stream()
                .map(event -> event.at("/data/object").asString())
                .toList();
    }

    private RecordStore refusingWhile(AtomicBoolean out) {
        return wrapped(
                new FileRecordStore(folder),
                () -> out.get() ? CatalogException.unavailable("The store is out.", null) : null);
    }

    private static RecordStore wrapped(RecordStore store, Supplier<@Nullable Throwable> failure) {
        return (RecordStore) Proxy.newProxyInstance(
                RecordStore.class.getClassLoader(), new Class<?>[] {RecordStore.class}, (proxy, method, arguments) -> {
                    Throwable thrown = failure.get();
                    if (thrown != null) {
                        throw thrown;
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }
}
