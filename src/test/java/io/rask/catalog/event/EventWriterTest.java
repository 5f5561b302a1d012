package io.rask.catalog.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.record.FileRecordStore;
import io.rask.catalog.record.RecordStore;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.Settings;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventWriterTest {
    @TempDir
    Path folder;

    private RecordStore failingOnce() {
        RecordStore files = new FileRecordStore(folder);
        AtomicBoolean failed = new AtomicBoolean();
        return (RecordStore) Proxy.newProxyInstance(
                RecordStore.class.getClassLoader(), new Class<?>[] {RecordStore.class}, (proxy, method, arguments) -> {
                    if (failed.compareAndSet(false, true)) {
                        throw new IllegalStateException("Nobody expects this.");
                    }
                    return method.invoke(files, arguments);
                });
    }

    @Test
    void whatNobodyExpectsDoesNotEndTheWriter() throws Exception {
        EventLog log = new EventLog(new Records(failingOnce(), Clock.systemUTC()), Clock.systemUTC());
        Events events = new Events(log, Clock.systemUTC(), Settings.of(Map.of()));
        events.happened(List.of(new Happening(EventType.TABLE_CREATED, "a", Map.of())), "ann", "request");
        await().until(() -> events.waiting() == 0);
        assertThat(log.read(null, 10).events()).hasSize(1);
        events.destroy();
    }
}
