package io.rask.catalog.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordStore;
import io.rask.catalog.record.RecordStores;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.S3Server;
import io.rask.catalog.testing.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Jobs on an S3 store that carries writes out without saying so, or refuses them. */
class JobsOverFaultyStoreTest {
    private S3Server store;
    private RecordStore opened;
    private JobRegistry registry;
    private JobEvents events;
    private JobClaims claims;

    @BeforeEach
    void open() {
        store = S3Server.inMemory().withBucket("records");
        Map<String, String> settings = new HashMap<>(store.settings());
        settings.put("lance.control.root", "s3://records/control");
        settings.put("lance.limits.store-timeout", "2s");
        CatalogProperties properties = Settings.of(settings);
        opened = RecordStores.open(properties);
        Records records = new Records(opened, Clock.systemUTC());
        Leases leases = new Leases(records, Clock.systemUTC(), Duration.ZERO);
        JobRecords jobs = new JobRecords(records);
        events = new JobEvents(records);
        registry = new JobRegistry(jobs, events, new JobBell(), leases, Clock.systemUTC(), properties);
        claims = new JobClaims(jobs, registry, events, Clock.systemUTC(), properties);
    }

    @AfterEach
    void close() {
        opened.close();
        store.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aJobIsMadeTakenAndDoneOnceWhateverTheStoreSaysOfItsWrites(int kind) throws Exception {
        Fault[] faults = {new Fault.DropReply(), Fault.FailReply.gatewayTimeout(), Fault.Status.slowDown()};
        int[] seen = {0};
        try (FaultRule rule = store.always(request -> request.isWrite() && seen[0]++ % 2 == 0, faults[kind])) {
            Job job = registry.submit(TrialJob.spec(TrialJob.Act.WAIT, Path.of("any"), Duration.ZERO));
            JobClaim claim = claims.take("a", Set.of(TrialJob.NAME)).orElseThrow();
            assertThat(claim.id()).isEqualTo(job.id());
            assertThat(claim.job().attempts()).isEqualTo(1);
            claim = claims.renew(claim, node -> {}).orElseThrow();
            assertThat(claims.succeed(claim, JsonNodeFactory.instance.objectNode()))
                    .isPresent();
            assertThat(rule.hits()).isGreaterThan(3);
        }
        assertThat(registry.open()).isEmpty();
        JobRegistry.JobPage finished = registry.page("f:", 10);
        assertThat(finished.jobs()).hasSize(1);
        assertThat(finished.jobs().getFirst().attempts()).isEqualTo(1);
        assertThat(events.of(finished.jobs().getFirst().id()).events())
                .extracting(JobEvent::state)
                .containsExactly("queued", "claim");
    }
}
