package io.rask.catalog.transaction;

import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.column.BackfillColumn;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.index.BuildIndex;
import io.rask.catalog.job.JobClaims;
import io.rask.catalog.job.JobEvents;
import io.rask.catalog.job.JobWorker;
import io.rask.catalog.lance.ColumnBackfill;
import io.rask.catalog.lance.FillRun;
import io.rask.catalog.lance.Filling;
import io.rask.catalog.maintenance.CompactTable;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.table.PlacedTable;
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
import java.util.UUID;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lance.Dataset;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a job meets at its commit: a batch that was left open on the table, and commits of its own whose answers were lost. */
class JobCommitsTest {
    private static final byte[] THREE = ArrowStreams.of(
            List.of(Field.nullable("id", INT64), Field.nullable("n", INT64)),
            List.of(row(1L, 1L), row(2L, 2L), row(3L, 3L)));

    @TempDir
    static Path folder;

    @TempDir
    static Path elsewhere;

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.on(
                folder,
                Map.of("lance.jobs.worker", "none", "lance.jobs.poll", "100ms", "lance.jobs.inline-wait", "0s"));
        server.makeNamespace("acme", "lake-one", "sales");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A job that ends in a commit on a table. */
    enum Kind {
        COMPACTION("/maintenance/compact", "{}"),
        INDEX("/create_scalar_index", "{\"column\":\"n\",\"index_type\":\"BTREE\"}"),
        BACKFILL("/backfill_column", "{\"column\":\"twice\"}");

        private final String route;
        private final String body;

        Kind(String route, String body) {
            this.route = route;
            this.body = body;
        }
    }

    private static String address(ObjectId id) {
        return "/v1/table/" + RunningServer.id(id.segments().toArray(String[]::new));
    }

    private static ObjectId made(String name) {
        ObjectId id = ObjectId.of("sales", name);
        server.arrow(address(id) + "/create", THREE).ok();
        server.post(address(id) + "/add_columns", "{\"new_columns\":[{\"name\":\"twice\",\"computed\":\"id * 2\"}]}")
                .ok();
        return id;
    }

    private static String asked(Kind kind, ObjectId id) {
        Answer answer = server.post(address(id) + kind.route, kind.body);
        assertThat(answer.status()).as(answer.text()).isLessThan(300);
        return answer.json().path("job_id").asString();
    }

    /** Does all jobs there are. */
    private static JsonNode worked(String job) throws InterruptedException {
        new JobWorker(
                        server.bean(JobClaims.class),
                        server.bean(JobEvents.class),
                        server.bean(Clock.class),
                        server.bean(CatalogProperties.class),
                        List.of(
                                server.bean(CompactTable.class),
                                server.bean(BuildIndex.class),
                                server.bean(BackfillColumn.class)),
                        "worker-" + UUID.randomUUID())
                .run(Duration.ofMillis(500));
        JsonNode ended = server.post("/v1/jobs/describe", "{\"job_id\":\"" + job + "\"}")
                .ok()
                .json();
        assertThat(ended.path("job_state").asString()).as(ended.toString()).isEqualTo("DONE");
        return ended.path("result");
    }

    private static VersionStep step(ObjectId id) throws IOException {
        StagedVersion staged = StagedVersion.deleting(server, id, "id = 1", elsewhere);
        CreateVersionRequest asked =
                new CreateVersionRequest(null, null, staged.version(), null, staged.path(), null, null, null, null);
        return server.bean(VersionSteps.class).prepare(server.bean(Tables.class).require(id), asked);
    }

    /** A batch that has made the first of its versions when its server died. */
    private static String left(ObjectId one, ObjectId two) throws IOException {
        VersionStep first = step(one);
        Batch batch = server.bean(BatchJournals.class)
                .begin(
                        BatchJournals.newId(),
                        "none",
                        new Batch.Plan(List.of(), List.of(first, step(two)), List.of()),
                        null);
        server.bean(VersionSteps.class).make(server.bean(BatchHomes.class).home(first.root()), first);
        assertThat(count(one)).isEqualTo(2);
        return batch.id();
    }

    private static String status(String batch) {
        return server.post("/v1/transaction/" + batch + "/describe")
                .ok()
                .json()
                .path("status")
                .asString();
    }

    private static long count(ObjectId id) {
        return Long.parseLong(server.post(address(id) + "/count_rows").ok().text());
    }

    @ParameterizedTest
    @EnumSource
    void aJobEndsTheBatchThatIsOpenOnItsTable(Kind kind) throws Exception {
        ObjectId one = made("one-" + kind);
        ObjectId two = made("two-" + kind);
        String job = asked(kind, one);
        String batch = left(one, two);

        worked(job);

        assertThat(status(batch)).isEqualTo("Succeeded");
        assertThat(count(one)).isEqualTo(2);
        assertThat(count(two)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void aJobKeepsNoVersionInPlaceThatIsTakenBack(Kind kind) throws Exception {
        ObjectId one = made("kept-" + kind);
        ObjectId two = made("taken-" + kind);
        String job = asked(kind, one);
        String batch = left(one, two);
        // A writer that knows of no catalog takes the number of the second version.
        try (Dataset table =
                Dataset.open(server.bean(Tables.class).require(two).location().uri())) {
            table.delete("id = 3");
        }

        worked(job);

        assertThat(status(batch)).isEqualTo("Failed");
        assertThat(count(one)).isEqualTo(3);
        assertThat(count(two)).isEqualTo(2);
    }

    private static String filled(PlacedTable table) {
        ColumnBackfill backfill = server.bean(ColumnBackfill.class);
        String transaction = UUID.randomUUID().toString();
        try (FillRun run =
                backfill.begin(table.location(), null, new Filling("twice", null, null, null, 1), List.of())) {
            while (!run.isDone()) {
                run.step();
            }
            run.commit(transaction);
        }
        return transaction;
    }

    @Test
    void aBackfillFindsEachOfItsCommitsWhoseAnswersWereLostHoweverManyVersionsCameSince() throws Exception {
        ObjectId id = made("filled");
        PlacedTable table = server.bean(Tables.class).require(id);
        String job = asked(Kind.BACKFILL, id);
        String transaction = filled(table);
        for (int i = 0; i < 101; i++) {
            server.post(address(id) + "/schema_metadata/update", "{\"metadata\":{\"turn\":\"" + i + "\"}}")
                    .ok();
        }
        server.bean(Records.class).mutate(RecordKey.of("_jobs/open", job), content -> {
            ObjectNode intent = content.putObject("intent");
            for (String tried : List.of(transaction, UUID.randomUUID().toString())) {
                intent.withArray("commits")
                        .addObject()
                        .put("transaction_id", tried)
                        .put("source_version", 2)
                        .put("rows_assigned", 3);
            }
            return content;
        });

        JsonNode result = worked(job);

        assertThat(result.path("transaction_id").asString()).isEqualTo(transaction);
        assertThat(result.path("published_version").asLong()).isEqualTo(3);
        assertThat(result.path("rows_assigned").asLong()).isEqualTo(3);
    }
}
