package io.rask.catalog.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.S3Server;
import io.rask.catalog.testing.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConditionalWriteProbeTest {
    @TempDir
    Path folder;

    private static RecordStore open(S3Server server) {
        Map<String, String> settings =
                new HashMap<>(server.withBucket("records").settings());
        settings.put("lance.control.root", "s3://records/control");
        return RecordStores.open(Settings.of(settings));
    }

    @Test
    void aFolderIsAtomicAndNothingIsLeftInIt() {
        RecordStore store = new FileRecordStore(folder);
        assertThat(new ConditionalWriteProbe(store).run()).isInstanceOf(ProbeResult.Atomic.class);
        assertThat(store.list("", null, 10).entries()).isEmpty();
    }

    @Test
    void aStoreWithRealConditionalWritesIsAtomicAndNothingIsLeftInIt() {
        try (S3Server server = S3Server.inMemory();
                RecordStore store = open(server)) {
            assertThat(new ConditionalWriteProbe(store).run()).isInstanceOf(ProbeResult.Atomic.class);
            assertThat(store.list("", null, 10).entries()).isEmpty();
        }
    }

    @Test
    void aStoreThatLooksAndThenWritesIsFoundOut() {
        try (S3Server server = S3Server.notAtomic(folder);
                RecordStore store = open(server)) {
            assertThat(new ConditionalWriteProbe(store).run())
                    .isInstanceOfSatisfying(
                            ProbeResult.NotAtomic.class,
                            result -> assertThat(result.sentence())
                                    .contains("If-Match")
                                    .contains("of 8 writers"));
        }
    }

    @Test
    void aStoreThatRefusesEveryConditionIsNotTakenForSafe() {
        try (S3Server server = S3Server.inMemory();
                RecordStore store = open(server);
                FaultRule rule = server.always(
                        request -> request.method().equals("PUT"), new Fault.Status(412, "PreconditionFailed"))) {
            assertThat(new ConditionalWriteProbe(store).run())
                    .isInstanceOfSatisfying(
                            ProbeResult.NotAtomic.class,
                            result -> assertThat(result.sentence()).contains("0 of 8 writers"));
            assertThat(rule.hits()).isEqualTo(8);
        }
    }

    @Test
    void aStoreThatDoesNotAnswerIsUnreachableNotUnsafe() {
        try (S3Server server = S3Server.inMemory();
                RecordStore store = open(server)) {
            for (Fault fault :
                    new Fault[] {Fault.Status.slowDown(), new Fault.Status(403, "AccessDenied"), new Fault.DropReply()
                    }) {
                try (FaultRule rule = server.always(request -> true, fault)) {
                    assertThat(new ConditionalWriteProbe(store).run()).isInstanceOf(ProbeResult.Unreachable.class);
                    assertThat(rule.hits()).isPositive();
                }
            }
            server.stop();
            assertThat(new ConditionalWriteProbe(store).run()).isInstanceOf(ProbeResult.Unreachable.class);
            server.start();
            assertThat(new ConditionalWriteProbe(store).run()).isInstanceOf(ProbeResult.Atomic.class);
        }
    }
}
