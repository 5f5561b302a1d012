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
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.table.RowStep;
import io.rask.catalog.table.RowSteps;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        RowSteps rows = server.bean(RowSteps.class);
        RowStep step = RowSteps.declaration(rows.declare(ObjectId.of("shop", name), Map.of()));
        StorageProfile home = server.bean(Locator.class).ofWarehouse("lake");
        rows.hold(home, List.of(step));
        return journal(step, maker);
    }

    private static Batch journal(RowStep step, @Nullable String maker) {
        BatchJournals journals = server.bean(BatchJournals.class);
        Batch begun = journals.begin(
                BatchJournals.newId(), "none", new Batch.Plan(List.of(step), List.of(), List.of()), maker);
        return journals.decide(begun, Batch.State.COMMITTED);
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
}
