package io.rask.catalog.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobClaims;
import io.rask.catalog.job.JobEvents;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.job.JobState;
import io.rask.catalog.job.JobWorker;
import io.rask.catalog.lance.UnfinishedChanges;
import io.rask.catalog.lifecycle.KeptBytes;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.table.RowStep;
import io.rask.catalog.table.RowSteps;
import io.rask.catalog.table.Tables;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who owns the tables of batches whose server has died, on a real permission engine. */
class BatchOwnersTest {
    @TempDir
    static Path folder;

    private static RunningServer server;

    @BeforeAll
    static void start() {
        Map<String, String> settings = new HashMap<>(OpenFga.shared().settings());
        settings.put("lance.bootstrap.administrator", "root");
        settings.put("lance.fga.timeout-seconds", "30");
        settings.put("lance.fga.cache-ttl", "0s");
        settings.put("lance.jobs.worker", "none");
        server = RunningServer.on(folder, settings, HeaderIdentification.class);
        await().until(() -> server.get("/readyz").status() == 200);
        as("root").makeNamespace("acme", "lake", "shop");
        as("root")
                .post("/v1/namespace/shop/access/grant", "{\"principal\":\"user:olga\",\"rung\":\"writer\"}")
                .ok();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static RunningServer as(String user) {
        return server.asking(HeaderIdentification.USER, user);
    }

    private static String path(String name) {
        return "/v1/table/" + RunningServer.id("shop", name);
    }

    /** A batch that declares a table, decided and left by its server before the table was to be seen. */
    private static Batch left(String name, @Nullable String maker) {
        return left(ObjectId.of("shop", name), maker);
    }

    private static Batch left(ObjectId id, @Nullable String maker) {
        RowSteps rows = server.bean(RowSteps.class);
        RowStep step = RowSteps.declaration(rows.declare(id, Map.of()));
        StorageProfile home = server.bean(Locator.class).ofWarehouse("lake");
        rows.hold(home, List.of(step));
        return journal(step, maker);
    }

    private static Batch journal(RowStep step, @Nullable String maker) {
        return journal(step, maker, Batch.State.COMMITTED);
    }

    private static Batch journal(RowStep step, @Nullable String maker, Batch.State state) {
        BatchJournals journals = server.bean(BatchJournals.class);
        Batch begun = journals.begin(
                BatchJournals.newId(), "none", new Batch.Plan(List.of(step), List.of(), List.of()), maker);
        return journals.decide(begun, state);
    }

    @Test
    void aTableOfABatchThatAWorkerEndsIsOwnedByTheMakerOfTheBatch() throws Exception {
        Batch batch = left("by-worker", "olga");
        assertThat(as("root").post(path("by-worker") + "/exists", "{}").status())
                .isEqualTo(404);
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
        assertThat(as("stranger").post(path("by-worker") + "/exists", "{}").status())
                .isEqualTo(403);
        as("olga").post("/v1/transaction/" + batch.id() + "/describe", "{}").ok();
        as("olga").post(path("by-worker") + "/deregister", "{}").ok();
    }

    @Test
    void aRepeatOfTheEndTakesNothingThatTheOwnerHasGivenSince() {
        Batch batch = left("twice", "olga");
        server.bean(UnfinishedChanges.class).settle("shop$twice");
        as("olga")
                .post(path("twice") + "/access/grant", "{\"principal\":\"user:rita\",\"rung\":\"reader\"}")
                .ok();
        // As if the server had died before it could forget the journal.
        journal(batch.plan().rows().getFirst(), "olga");
        server.bean(UnfinishedChanges.class).settle("shop$twice");
        as("rita").post(path("twice") + "/exists", "{}").ok();
    }

    @Test
    void aTableOfAJournalThatNamesNobodyIsOwnedByWhoOwnsItsNamespace() {
        left("nobodys", null);
        server.bean(UnfinishedChanges.class).settle("shop$nobodys");
        assertThat(as("olga").post(path("nobodys") + "/deregister", "{}").status())
                .isEqualTo(403);
        as("root").post(path("nobodys") + "/deregister", "{}").ok();
    }

    @Test
    void whatABatchMakesInOneRequestIsTheMakersToo() {
        as("olga")
                .post(
                        "/v1/table/batch-commit",
                        "{\"operations\":[{\"declare_table\":{\"id\":[\"shop\",\"at-once\"]}}]}")
                .ok();
        as("olga").post(path("at-once") + "/deregister", "{}").ok();
    }

    private static Answer commit(String... operations) {
        return as("olga").post("/v1/table/batch-commit", "{\"operations\":[" + String.join(",", operations) + "]}");
    }

    private static String swap(String old, String young) {
        return "{\"deregister_table\":{\"id\":[\"shop\",\"" + old + "\"]}},{\"declare_table\":{\"id\":[\"shop\",\""
                + young + "\"]}}";
    }

    @Test
    void rowsThatAreHeldBackWaitForWhoeverChangesRowsOfTheWarehouse() {
        commit("{\"declare_table\":{\"id\":[\"shop\",\"leased\"]}}").ok();
        Batch.Place place = Batch.Place.ofRows(
                server.bean(Locator.class).ofWarehouse("lake").place().external());
        CompletableFuture<Answer> answer = server.bean(BatchHomes.class).alone(List.of(place), turn -> {
            CompletableFuture<Answer> begun =
                    CompletableFuture.supplyAsync(() -> commit(swap("leased", "leased-since")));
            await().during(Duration.ofSeconds(1))
                    .until(() -> server.bean(BatchJournals.class).open().isEmpty() && !begun.isDone());
            return begun;
        });
        answer.join().ok();
        as("olga").post(path("leased-since") + "/deregister", "{}").ok();
    }

    @Test
    void ofRepeatsOfABatchAtTheSameTimeOneHappensAndItHappensWhole() throws Exception {
        try (Race race = new Race(3)) {
            for (int round = 0; round < 4; round++) {
                String old = "old-" + round;
                String young = "young-" + round;
                commit("{\"declare_table\":{\"id\":[\"shop\",\"" + old + "\"]}}")
                        .ok();
                List<Answer> answers = race.run(runner -> commit(swap(old, young)));
                assertThat(answers.stream().filter(answer -> answer.status() == 200))
                        .hasSize(1);
                answers.stream()
                        .filter(answer -> answer.status() != 200)
                        .forEach(answer ->
                                assertThat(answer.code()).as(answer.text()).isIn(4, 5, 14));
                assertThat(as("root").post(path(old) + "/exists", "{}").status())
                        .isEqualTo(404);
                as("olga").post(path(young) + "/deregister", "{}").ok();
            }
        }
        assertThat(server.bean(BatchJournals.class).open()).isEmpty();
    }

    @Test
    void aNamespaceIsDroppedWithTheTableOfABatchThatIsBroughtToItsEndFirst() {
        String inner = "/v1/namespace/" + RunningServer.id("shop", "inner");
        as("root").post(inner + "/create", "{}").ok();
        left(ObjectId.of("shop", "inner", "held"), "olga");
        as("root").post(inner + "/drop", "{\"behavior\":\"Cascade\"}").ok();
        assertThat(server.bean(BatchJournals.class).open()).isEmpty();
        as("root").post(inner + "/create", "{}").ok();
        as("root")
                .post("/v1/table/" + RunningServer.id("shop", "inner", "held") + "/declare", "{}")
                .ok();
    }

    @Test
    void aRowThatNoBatchIsAtIsNeverTakenForATableThatCanBeDropped() {
        String inner = "/v1/namespace/" + RunningServer.id("shop", "kept");
        as("root").post(inner + "/create", "{}").ok();
        Batch batch = left(ObjectId.of("shop", "kept", "held"), "olga");
        server.bean(BatchJournals.class).end(batch);
        Answer refused = as("root").post(inner + "/drop", "{\"behavior\":\"Cascade\"}");
        assertThat(refused.code()).as(refused.text()).isEqualTo(14);
        journal(batch.plan().rows().getFirst(), "olga", Batch.State.WITHDRAWN);
        as("root").post(inner + "/drop", "{\"behavior\":\"Cascade\"}").ok();
    }

    @Test
    void aBatchThatIsTakenBackForgetsItsOwnMarkAndNotThatOfADeregistrationUnderWay() {
        StorageProfile home = server.bean(Locator.class).ofWarehouse("lake");
        KeptBytes kept = server.bean(KeptBytes.class);
        commit("{\"declare_table\":{\"id\":[\"shop\",\"marked\"]}}").ok();
        RowSteps rows = server.bean(RowSteps.class);
        RowStep own = rows.deregister(server.bean(Tables.class).require(ObjectId.of("shop", "marked")), false, "olga");
        rows.hold(home, List.of(own));
        assertThat(kept.find(home, own.location())).isPresent();
        journal(own, "olga", Batch.State.WITHDRAWN);
        server.bean(UnfinishedChanges.class).settle("shop$marked");
        assertThat(kept.find(home, own.location())).isEmpty();

        rows.hold(home, List.of(own));
        KeptBytes.Mark other = kept.keep(home, own.location(), "shop$marked", "rita");
        journal(own, "olga", Batch.State.WITHDRAWN);
        server.bean(UnfinishedChanges.class).settle("shop$marked");
        assertThat(kept.find(home, own.location())).contains(other);
        as("olga").post(path("marked") + "/deregister", "{}").ok();
    }
}
