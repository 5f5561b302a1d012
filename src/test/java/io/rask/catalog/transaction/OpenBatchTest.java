package io.rask.catalog.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobClaims;
import io.rask.catalog.job.JobEvents;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.job.JobState;
import io.rask.catalog.job.JobWorker;
import io.rask.catalog.lance.UnfinishedChanges;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.Records;
import io.rask.catalog.table.Tables;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.StagedVersion;
import io.rask.catalog.version.VersionStep;
import io.rask.catalog.version.VersionSteps;
import io.rask.catalog.wire.CreateVersionRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;

/** Batches whose server has died, and what others do and see meanwhile. */
class OpenBatchTest {
    private static final ObjectId ONE = ObjectId.of("sales", "one");
    private static final ObjectId TWO = ObjectId.of("sales", "two");

    @TempDir
    Path folder;

    @TempDir
    Path elsewhere;

    private RunningServer server;
    private VersionStep first;
    private VersionStep second;
    private Batch batch;

    @BeforeEach
    void aBatchIsBegunAndLeft() throws IOException {
        server = RunningServer.on(folder, Map.of("lance.jobs.worker", "none"));
        server.makeNamespace("acme", "lake-one", "sales");
        for (ObjectId id : List.of(ONE, TWO)) {
            server.arrow(address(id) + "/create", ArrowStreams.longs("id", 1, 2, 3))
                    .ok();
        }
        first = step(ONE);
        second = step(TWO);
        batch = server.bean(BatchJournals.class)
                .begin(
                        BatchJournals.newId(),
                        "none",
                        new Batch.Plan(List.of(), List.of(first, second), List.of()),
                        null);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private VersionStep step(ObjectId id) throws IOException {
        StagedVersion staged = StagedVersion.deleting(server, id, "id = 1", elsewhere);
        CreateVersionRequest asked =
                new CreateVersionRequest(null, null, staged.version(), null, staged.path(), null, null, null, null);
        return server.bean(VersionSteps.class).prepare(server.bean(Tables.class).require(id), asked);
    }

    private static String address(ObjectId id) {
        return "/v1/table/" + RunningServer.id(id.segments().toArray(String[]::new));
    }

    private long count(ObjectId id) {
        return Long.parseLong(server.post(address(id) + "/count_rows").ok().text());
    }

    private void makeFirst() {
        server.bean(VersionSteps.class).make(server.bean(BatchHomes.class).home(first.root()), first);
        assertThat(count(ONE)).isEqualTo(2);
    }

    /** A writer that knows of no catalog. */
    private void writeBehindTheCatalog(ObjectId id) {
        try (Dataset table =
                Dataset.open(server.bean(Tables.class).require(id).location().uri())) {
            table.delete("id = 3");
        }
    }

    private void settle() {
        server.bean(UnfinishedChanges.class).settle(TWO.stored());
        assertThat(server.bean(Records.class).all("_batches", Records.Unreadable.FAIL))
                .isEmpty();
    }

    private String status() {
        return server.post("/v1/transaction/" + batch.id() + "/describe")
                .ok()
                .json()
                .path("status")
                .asString();
    }

    private Answer alter(String actions) {
        return server.post("/v1/transaction/" + batch.id() + "/alter", "{\"actions\":[" + actions + "]}");
    }

    private List<Long> versions(ObjectId id) {
        return server.post(address(id) + "/version/list")
                .ok()
                .json()
                .path("versions")
                .valueStream()
                .map(version -> version.path("version").longValue())
                .toList();
    }

    @Test
    void whatCanBeDoneIsDone() {
        assertThat(status()).isEqualTo("Running");
        makeFirst();
        settle();
        assertThat(count(ONE)).isEqualTo(2);
        assertThat(count(TWO)).isEqualTo(2);
        assertThat(status()).isEqualTo("Succeeded");
    }

    @Test
    void aNumberThatAnotherTookTakesBackWhatWasMadeAndItIsNeverUsedAgain() {
        makeFirst();
        writeBehindTheCatalog(TWO);
        settle();
        assertThat(status()).isEqualTo("Failed");
        assertThat(count(ONE)).isEqualTo(3);
        assertThat(count(TWO)).isEqualTo(2);
        assertThat(versions(ONE)).containsExactly(1L, 3L);
        server.arrow(address(ONE) + "/insert", ArrowStreams.longs("id", 9)).ok();
        assertThat(versions(ONE)).containsExactly(1L, 3L, 4L);
        assertThat(count(ONE)).isEqualTo(4);
        Answer gone = server.post(address(ONE) + "/version/describe", "{\"version\":2}");
        assertThat(gone.code()).as(gone.text()).isEqualTo(11);
    }

    @Test
    void whatAnotherHasBuiltOnStaysSoThatItsRowsAreNotLost() {
        makeFirst();
        writeBehindTheCatalog(ONE);
        writeBehindTheCatalog(TWO);
        settle();
        assertThat(status()).isEqualTo("Failed");
        assertThat(count(ONE)).isEqualTo(1);
    }

    @Test
    void aWriterThroughTheCatalogEndsItFirst() {
        makeFirst();
        server.arrow(address(TWO) + "/insert", ArrowStreams.longs("id", 9)).ok();
        assertThat(status()).isEqualTo("Succeeded");
        assertThat(count(TWO)).isEqualTo(3);
    }

    @Test
    void aWorkerEndsItWhenNobodyElseDoes() throws Exception {
        makeFirst();
        JobWorker worker = new JobWorker(
                server.bean(JobClaims.class),
                server.bean(JobEvents.class),
                server.bean(Clock.class),
                server.bean(CatalogProperties.class),
                List.of(server.bean(SettleBatch.class)),
                "settler");
        JobRegistry jobs = server.bean(JobRegistry.class);
        Job job =
                jobs.submit(new JobSpec(SettleBatch.NAME, null, null, new SettleBatch.Spec(batch.id()), Duration.ZERO));
        worker.run(Duration.ofSeconds(2));
        assertThat(jobs.require(job.id()).state()).isEqualTo(JobState.DONE);
        assertThat(status()).isEqualTo("Succeeded");
        assertThat(count(TWO)).isEqualTo(2);
    }

    @Test
    void anUndecidedBatchIsCanceledAndNothingOfItHappens() {
        makeFirst();
        Answer canceled = alter("{\"setStatusAction\":{\"status\":\"canceled\"}},"
                        + "{\"setPropertyAction\":{\"key\":\"why\",\"value\":\"too late\"}}")
                .ok();
        assertThat(canceled.json().path("status").asString()).isEqualTo("Canceled");
        settle();
        assertThat(status()).isEqualTo("Canceled");
        assertThat(server.post("/v1/transaction/" + batch.id() + "/describe")
                        .ok()
                        .json()
                        .at("/properties/why")
                        .asString())
                .isEqualTo("too late");
        assertThat(count(ONE)).isEqualTo(3);
        assertThat(count(TWO)).isEqualTo(3);
    }

    @Test
    void onlyTheCatalogSaysHowABatchEnds() {
        for (String status : List.of("Succeeded", "Failed", "queued")) {
            assertThat(alter("{\"setStatusAction\":{\"status\":\"" + status + "\"}}")
                            .code())
                    .isEqualTo(14);
        }
        alter("{\"setStatusAction\":{\"status\":\"RUNNING\"}}").ok();
        makeFirst();
        server.bean(VersionSteps.class).make(server.bean(BatchHomes.class).home(second.root()), second);
        server.bean(BatchJournals.class).decide(batch, Batch.State.COMMITTED);
        assertThat(alter("{\"setStatusAction\":{\"status\":\"Canceled\"}}").code())
                .isEqualTo(14);
        settle();
        assertThat(alter("{\"setStatusAction\":{\"status\":\"Canceled\"}}").code())
                .isEqualTo(14);
        assertThat(count(ONE)).isEqualTo(2);
    }
}
