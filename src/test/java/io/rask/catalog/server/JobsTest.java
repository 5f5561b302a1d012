package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.TrialJob;
import io.rask.catalog.job.TrialJob.Act;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.operation.Project;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/** Jobs over HTTP, done by real worker processes that die in all the ways a process can. */
class JobsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir
    static Path folder;

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.on(
                folder,
                Map.of(
                        "lance.jobs.attempts", "2",
                        "lance.jobs.backoff", "100ms",
                        "lance.jobs.poll", "200ms",
                        "lance.jobs.lease", "20s",
                        "lance.jobs.inline-wait", "0s",
                        "lance.jobs.drop-grace", "1s"));
        server.makeNamespace("acme", "lake-jobs", "sales");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Path fresh() throws IOException {
        return Files.createDirectory(folder.resolve("trial-" + NAMES.incrementAndGet()));
    }

    private static String table() {
        return "/v1/table/" + id("sales", "t" + NAMES.incrementAndGet());
    }

    private static String submit(Act act, Path place) {
        return submit(act, place, Duration.ZERO);
    }

    private static String submit(Act act, Path place, Duration delay) {
        return server.bean(JobRegistry.class)
                .submit(TrialJob.spec(act, place, delay))
                .id();
    }

    private static String job(String id) {
        return "{\"job_id\":\"" + id + "\"}";
    }

    private static JsonNode describe(String job) {
        return server.post("/v1/jobs/describe", job(job)).ok().json();
    }

    private static JsonNode ended(String job) {
        await().atMost(PATIENCE)
                .until(() -> !describe(job).path("job_state").asString().equals("IN_PROGRESS"));
        return describe(job);
    }

    private static JsonNode done(String job) {
        JsonNode ended = ended(job);
        assertThat(ended.path("job_state").asString()).as(ended.toString()).isEqualTo("DONE");
        return ended;
    }

    private static long pid(Path place, int attempt) {
        Path started = place.resolve("started-" + attempt);
        await().atMost(PATIENCE).until(() -> Files.exists(started) && Files.size(started) > 0);
        try {
            return Long.parseLong(Files.readString(started));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String accepted(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        return answer.json().path("job_id").asString();
    }

    private static List<List<Object>> events(String body) {
        return read(server.post("/v1/jobs/query_events", body).ok());
    }

    private static List<List<Object>> read(Answer answer) {
        List<List<Object>> rows = new ArrayList<>();
        try (BufferAllocator memory = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(answer.bytes()), memory)) {
            VectorSchemaRoot batch = reader.getVectorSchemaRoot();
            assertThat(batch.getSchema().getFields())
                    .extracting(field -> field.getName())
                    .contains("state", "updated_by", "emitted_from", "emitted_by", "claim_entity", "rows_processed");
            while (reader.loadNextBatch()) {
                for (int row = 0; row < batch.getRowCount(); row++) {
                    rows.add(List.of(
                            batch.getVector("state").getObject(row).toString(),
                            batch.getVector("attempt").getObject(row)));
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return rows;
    }

    @Test
    void aCompactionIsDoneByAWorkerAndWithNothingToDoMakesNoVersion() {
        String table = table();
        server.arrow(table + "/create", Rows.THREE).ok();
        for (int i = 0; i < 4; i++) {
            server.arrow(table + "/insert", Rows.THREE).ok();
        }
        JsonNode first = done(accepted(server.post(table + "/maintenance/compact", "{}")));
        assertThat(first.at("/result/fragments_before").asInt()).isEqualTo(5);
        assertThat(first.at("/result/fragments_after").asInt()).isEqualTo(1);
        assertThat(first.path("job_type").asString()).isEqualTo("compact_table");
        assertThat(version(table)).isEqualTo(first.at("/result/version").asLong());
        assertThat(server.post(table + "/count_rows").ok().text()).isEqualTo("15");
        JsonNode second = done(accepted(
                server.post("/management" + table + "/maintenance/compact", "{\"target_rows_per_fragment\":2048}")));
        assertThat(second.at("/result/version").asLong()).isEqualTo(version(table));
        assertThat(version(table)).isEqualTo(first.at("/result/version").asLong());
    }

    private static long version(String table) {
        return server.post(table + "/describe").ok().json().path("version").asLong();
    }

    @Test
    void aTableWithoutDataFailsItsCompactionWithTheReason() {
        String table = table();
        server.post(table + "/declare", "{}").ok();
        JsonNode failed = ended(accepted(server.post(table + "/maintenance/compact", "{}")));
        assertThat(failed.path("job_state").asString()).isEqualTo("FAILED");
        assertThat(failed.at("/failure/message").asString()).contains("holds no data");
        assertThat(failed.at("/failure/retryable").asBoolean()).isFalse();
        assertThat(failed.path("attempts").asInt()).isEqualTo(1);
        refused(server.post("/v1/table/" + id("sales", "absent") + "/maintenance/compact", "{}"), 404, 4);
        refused(server.post(table + "/maintenance/compact", "{\"target_rows_per_fragment\":0}"), 400, 13);
    }

    @Test
    void aBranchThatIsNotCompactedIsRefusedAndNotTakenForMain() {
        String table = table();
        server.arrow(table + "/create", Rows.THREE).ok();
        refused(server.post(table + "/maintenance/compact", "{\"branch\":\"dev\"}"), 400, 13);
        done(accepted(server.post(table + "/maintenance/compact", "{\"branch\":\"main\"}")));
    }

    @Test
    void whatTheLibraryCannotRewriteFailsWithItsCauseAtTheFirstAttempt() throws IOException {
        String table = table();
        server.arrow(table + "/create", Rows.THREE).ok();
        server.arrow(table + "/insert", Rows.THREE).ok();
        Path versions = Path.of(URI.create(server.post(table + "/describe")
                                .ok()
                                .json()
                                .path("location")
                                .asString())
                        .getPath())
                .resolve("_versions");
        try (Stream<Path> manifests = Files.list(versions)) {
            for (Path manifest : manifests
                    .filter(file -> file.toString().endsWith(".manifest"))
                    .toList()) {
                Files.write(manifest, ManifestBytes.withFeatures(Files.readAllBytes(manifest), 1L << 20));
            }
        }
        JsonNode failed = ended(accepted(server.post(table + "/maintenance/compact", "{}")));
        assertThat(failed.path("job_state").asString()).isEqualTo("FAILED");
        assertThat(failed.at("/failure/message").asString()).contains("features this server does not know");
        assertThat(failed.path("attempts").asInt()).isEqualTo(1);
    }

    @Test
    void aTableWithBlobsOfTheSecondKindFailsItsCompactionWithTheReason() {
        String table = table();
        Map<String, String> blob = Map.of("ARROW:extension:name", "lance.blob.v2");
        Field column = new Field(
                "picture",
                new FieldType(true, ArrowType.Struct.INSTANCE, null, blob),
                List.of(Field.nullable("data", new ArrowType.LargeBinary()), Field.nullable("uri", ArrowStreams.UTF8)));
        Path place = folder.resolve("blobs-" + NAMES.incrementAndGet());
        try (BufferAllocator memory = new RootAllocator()) {
            Dataset.write()
                    .allocator(memory)
                    .uri(place.toString())
                    .schema(new Schema(List.of(column)))
                    .dataStorageVersion("2.2")
                    .mode(WriteParams.WriteMode.CREATE)
                    .execute()
                    .close();
        }
        server.post(table + "/declare", "{}").ok();
        move(place, table);
        JsonNode failed = ended(accepted(server.post(table + "/maintenance/compact", "{}")));
        assertThat(failed.path("job_state").asString()).as(failed.toString()).isEqualTo("FAILED");
        assertThat(failed.at("/failure/message").asString()).contains("'picture'", "cannot be compacted");
        assertThat(failed.path("attempts").asInt()).isEqualTo(1);
    }

    /** As a client does that writes a declared table itself. */
    private static void move(Path dataset, String table) {
        Path declared = Path.of(URI.create(server.post(table + "/describe")
                        .ok()
                        .json()
                        .path("location")
                        .asString())
                .getPath());
        try {
            FileSystemUtils.deleteRecursively(declared);
            Files.move(dataset, declared);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aNativeAbortCostsAttemptsAndThenTheJobAndNothingElse() throws Exception {
        Path place = fresh();
        JsonNode failed = ended(submit(Act.ABORT, place));
        assertThat(failed.path("job_state").asString()).isEqualTo("FAILED");
        assertThat(failed.at("/failure/message").asString())
                .contains("The worker process died while trying ABORT", "signal 6", "attempt 2 of 2");
        assertThat(failed.at("/failure/phase").asString()).isEqualTo("trying ABORT");
        assertThat(pid(place, 1)).isNotEqualTo(pid(place, 2));
        assertThat(server.get("/livez").status()).isEqualTo(200);
        try (Stream<Path> left = Files.find(
                Path.of(System.getProperty("java.io.tmpdir")),
                2,
                (file, attributes) -> file.toString().contains("liblance"))) {
            assertThat(left.filter(file -> file.toString()
                                    .contains("catalog-worker-"
                                            + ProcessHandle.current().pid())
                            && file.toString().contains("liblance")))
                    .isEmpty();
        }
    }

    @Test
    void aWorkerKilledInTheMiddleCostsOneAttempt() throws Exception {
        Path place = fresh();
        String job = submit(Act.WAIT, place);
        ProcessHandle.of(pid(place, 1)).orElseThrow().destroyForcibly();
        pid(place, 2);
        Files.createFile(place.resolve("go"));
        assertThat(done(job).at("/result/attempt").asInt()).isEqualTo(2);
        assertThat(events(job(job)))
                .extracting(row -> row.getFirst())
                .containsSubsequence("queued", "claim", "claim_lost", "claim", "claim_complete", "done");
        assertThat(events("{\"job_id\":\"" + job + "\",\"filter\":\"state = 'claim' AND attempt > 1\"}"))
                .containsExactly(List.of("claim", 2L));
        assertThat(
                        events(
                                "{\"job_id\":\"" + job
                                        + "\",\"filter\":\"(state IN ('done','queued') OR claim_entity IS NULL) AND NOT emitted_from = 'worker'\"}"))
                .extracting(row -> row.getFirst())
                .containsExactly("queued");
        Answer cut = server.post("/v1/jobs/query_events/", "{\"job_id\":\"" + job + "\",\"limit\":2}")
                .ok();
        assertThat(read(cut)).hasSize(2);
        assertThat(cut.response().headers().firstValue("x-lance-truncated")).hasValue("true");
        Answer none = server.post(
                        "/management/v1/jobs/query_events",
                        "{\"job_id\":\"" + job + "\",\"filter\":\"state = 'never'\"}")
                .ok();
        assertThat(read(none)).isEmpty();
        assertThat(none.response().headers().firstValue("Content-Type"))
                .hasValue("application/vnd.apache.arrow.stream");
        assertThat(none.response().headers().firstValue("x-lance-truncated")).hasValue("false");
    }

    @Test
    void aCommitIsNotRepeatedWhenTheWorkerDiedBeforeItCouldSaySo() throws Exception {
        Path place = fresh();
        String job = submit(Act.COMMIT_AND_DIE, place);
        assertThat(done(job).path("attempts").asInt()).isEqualTo(2);
        assertThat(Files.readAllLines(place.resolve("commits"))).containsExactly(job + " 1");
    }

    @Test
    void aJobThatCannotBeDoneFailsAtOnceWithItsReason() throws Exception {
        JsonNode failed = ended(submit(Act.REFUSE, fresh()));
        assertThat(failed.path("job_state").asString()).isEqualTo("FAILED");
        assertThat(failed.at("/failure/message").asString()).isEqualTo("This cannot be done.");
        assertThat(failed.path("attempts").asInt()).isEqualTo(1);
    }

    @Test
    void aCancelledJobEndsAndAnEndedOneStaysAsItIs() throws Exception {
        String waiting = submit(Act.WAIT, fresh(), Duration.ofHours(1));
        assertThat(describe(waiting).path("job_state").asString()).isEqualTo("IN_PROGRESS");
        assertThat(cancel(waiting)).isEqualTo("CANCELLED");
        assertThat(cancel(waiting)).isEqualTo("CANCELLED");
        Path place = fresh();
        String running = submit(Act.WAIT, place);
        pid(place, 1);
        assertThat(cancel(running)).isEqualTo("IN_PROGRESS");
        assertThat(ended(running).path("job_state").asString()).isEqualTo("CANCELLED");
        assertThat(server.post("/v1/jobs/list/", "{}").ok().text()).contains(waiting, running);
    }

    private static String cancel(String job) {
        return server.post("/v1/jobs/cancel", job(job))
                .ok()
                .json()
                .path("job_state")
                .asString();
    }

    @Test
    void everyJobIsListedOverPages() throws Exception {
        List<String> submitted = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            submitted.add(submit(Act.WAIT, fresh(), Duration.ofHours(1)));
        }
        List<String> seen = new ArrayList<>();
        String token = null;
        do {
            String body = token == null ? "{\"limit\":2}" : "{\"limit\":2,\"page_token\":\"" + token + "\"}";
            JsonNode page = server.post("/v1/jobs/list", body).ok().json();
            page.path("jobs").forEach(entry -> seen.add(entry.path("job_id").asString()));
            token = page.path("page_token").isString() ? page.path("page_token").asString() : null;
        } while (token != null);
        assertThat(seen).containsAll(submitted).doesNotHaveDuplicates();
        submitted.forEach(JobsTest::cancel);
    }

    @ParameterizedTest
    @ValueSource(strings = {"describe", "cancel", "query_events"})
    void anUnknownOrUnnamedJobIsRefused(String operation) {
        String path = "/v1/jobs/" + operation;
        assertThat(server.post(path, job("01890000-0000-7000-8000-000000000000"))
                        .status())
                .isEqualTo(404);
        assertThat(server.post(path, job("../../_projects/acme")).status()).isEqualTo(404);
        refused(server.post(path, "{}"), 400, 13);
        refused(server.post(path, "{\"job_id\":7}"), 400, 13);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"filter\":\"state\"",
                "\"filter\":\"secret = 'x'\"",
                "\"filter\":\"state = 'x\"",
                "\"filter\":\"state = 'x' OR\"",
                "\"filter\":\"state = 'x'; drop table x\"",
                "\"filter\":\"state = 7\"",
                "\"filter\":\"NOT\"",
                "\"limit\":0",
                "\"limit\":-1",
                "\"limit\":\"many\"",
            })
    void aFilterOrLimitThatCannotBeReadIsRefused(String field) throws Exception {
        String job = submit(Act.WAIT, fresh(), Duration.ofHours(1));
        cancel(job);
        refused(server.post("/v1/jobs/query_events", "{\"job_id\":\"" + job + "\"," + field + "}"), 400, 13);
        refused(server.post("/v1/jobs/list", "{\"page_token\":\"o:../x\"}"), 400, 13);
    }

    @Test
    void aFilterOfAnySizeIsReadOrRefused() throws Exception {
        String job = submit(Act.WAIT, fresh(), Duration.ofHours(1));
        cancel(job);
        for (String filter : List.of(
                "(".repeat(4000),
                "NOT ".repeat(1000) + "state = 'x'",
                "state = 'x'" + " OR state = 'x'".repeat(400),
                "state = '" + "x".repeat(5000) + "'")) {
            refused(
                    server.post("/v1/jobs/query_events", "{\"job_id\":\"" + job + "\",\"filter\":\"" + filter + "\"}"),
                    400,
                    13);
        }
    }

    @Test
    void aDropLeavesNoJobBehind() {
        String table = table();
        server.arrow(table + "/create", Rows.THREE).ok();
        String before = server.post("/v1/jobs/list", "{}").ok().text();
        server.post(table + "/drop", "{}").ok();
        assertThat(count(server.post("/v1/jobs/list", "{}").ok().text(), "delete_bytes"))
                .isEqualTo(count(before, "delete_bytes"));
    }

    private static int count(String text, String part) {
        return text.split(part, -1).length - 1;
    }

    @Test
    void aFolderThatNoRowNamesIsReportedAndStays() throws Exception {
        String table = table();
        server.arrow(table + "/create", ArrowStreams.longs("id", 1)).ok();
        Path root = folder.resolve("lance/lake-jobs");
        Path orphan = Files.createDirectories(root.resolve("0000dead_sales$lost/data"));
        Files.writeString(orphan.resolve("x.lance"), "bytes");
        String scan = "/v1/warehouses/lake-jobs/orphans/scan";
        JsonNode careful = done(accepted(server.post(scan, "{}"))).path("result");
        assertThat(careful.path("orphans").asInt()).isZero();
        assertThat(careful.path("recent").asInt()).isEqualTo(1);
        String job = accepted(server.post(scan, "{\"minimum_age_seconds\":0}"));
        JsonNode found = done(job).path("result");
        assertThat(found.path("findings")).hasSize(1);
        assertThat(found.at("/findings/0/folder").asString()).isEqualTo("0000dead_sales$lost");
        assertThat(found.at("/findings/0/bytes").asInt()).isEqualTo(5);
        assertThat(found.path("complete").asBoolean()).isTrue();
        assertThat(events("{\"job_id\":\"" + job + "\",\"filter\":\"state = 'finding'\"}"))
                .hasSize(1);
        assertThat(orphan.resolve("x.lance")).exists();
        FileSystemUtils.deleteRecursively(root.resolve("0000dead_sales$lost"));
        refused(server.post("/v1/warehouses/absent-lake/orphans/scan", "{}"), 404, 4);
        refused(server.post(scan, "{\"minimum_age_seconds\":-1}"), 400, 13);
    }

    @Test
    void aVersionThatWasLeftAsideIsReportedUnlessItIsYoungOrATagKeepsIt() throws Exception {
        String table = table();
        server.arrow(table + "/create", ArrowStreams.longs("id", 1)).ok();
        server.post(table + "/branches/create", "{\"name\":\"dev\"}").ok();
        Path location = Path.of(URI.create(server.post(table + "/describe")
                        .ok()
                        .json()
                        .path("location")
                        .asString())
                .getPath());
        String aside = detached(location, false);
        String tagged = detached(location, true);
        String onBranch = "tree/dev/_versions/d9223372036854775899.manifest";
        Files.copy(location.resolve("_versions").resolve(aside), location.resolve(onBranch));
        String scan = "/v1/warehouses/lake-jobs/orphans/scan";
        JsonNode careful = done(accepted(server.post(scan, "{}"))).path("result");
        assertThat(careful.path("orphan_versions").asInt()).isZero();
        assertThat(careful.path("recent_versions").asInt()).isEqualTo(3);
        JsonNode found =
                done(accepted(server.post(scan, "{\"minimum_age_seconds\":0}"))).path("result");
        List<String> files = new ArrayList<>();
        found.path("version_findings")
                .forEach(finding -> files.add(finding.path("file").asString()));
        String folder = String.valueOf(location.getFileName());
        assertThat(files).containsExactlyInAnyOrder(folder + "/_versions/" + aside, folder + "/" + onBranch);
        assertThat(found.at("/version_findings/0/bytes").asInt()).isPositive();
        assertThat(location.resolve("_versions").resolve(aside)).exists();
        Files.delete(location.resolve("_versions").resolve(aside));
        Files.delete(location.resolve("_versions").resolve(tagged));
        Files.delete(location.resolve(onBranch));
    }

    @Test
    void aTableThatCannotBeReadIsNamedAsUncheckedAndTheOthersAreLookedAt() throws Exception {
        List<Path> places = new ArrayList<>();
        List<Path> aside = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String table = table();
            server.arrow(table + "/create", ArrowStreams.longs("id", 1)).ok();
            Path place = Path.of(URI.create(server.post(table + "/describe")
                            .ok()
                            .json()
                            .path("location")
                            .asString())
                    .getPath());
            places.add(place);
            aside.add(place.resolve("_versions").resolve(detached(place, false)));
        }
        Path broken = places.getFirst();
        Map<Path, byte[]> whole = damaged(broken);
        for (int i = 1; i <= 1000; i++) {
            aside.add(Files.createFile(places.getLast().resolve("_versions/d" + i + ".manifest")));
        }

        JsonNode found;
        try {
            found = done(accepted(server.post("/v1/warehouses/lake-jobs/orphans/scan", "{\"minimum_age_seconds\":0}")))
                    .path("result");
        } finally {
            // While one table cannot be read, nobody knows that it does not need the bytes of another.
            for (Map.Entry<Path, byte[]> file : whole.entrySet()) {
                Files.write(file.getKey(), file.getValue());
            }
            for (Path file : aside) {
                Files.delete(file);
            }
        }

        String name = String.valueOf(broken.getFileName());
        assertThat(found.path("unchecked")).hasSize(1);
        assertThat(found.at("/unchecked/0/table").asString()).startsWith("sales$t");
        assertThat(found.at("/unchecked/0/location").asString()).isEqualTo(name);
        assertThat(found.at("/unchecked/0/reason").asString()).isNotEmpty();
        assertThat(found.path("complete").asBoolean()).isFalse();
        assertThat(found.path("orphan_versions").asInt()).isEqualTo(1001);
        assertThat(found.path("version_findings")).hasSize(1000);
        assertThat(found.path("version_findings_cut").asBoolean()).isTrue();
        assertThat(found.path("version_findings").toString()).doesNotContain(name);
    }

    /** No version of the table can be read any more; what its files were. */
    private static Map<Path, byte[]> damaged(Path place) throws IOException {
        Map<Path, byte[]> whole = new HashMap<>();
        try (Stream<Path> versions = Files.list(place.resolve("_versions"))) {
            for (Path version : versions.toList()) {
                whole.put(version, Files.readAllBytes(version));
                Files.writeString(version, "damaged");
            }
        }
        return whole;
    }

    /** The name of the file of a new version aside. */
    private static String detached(Path location, boolean tagged) throws IOException {
        try (Dataset table = Dataset.open(location.toString());
                Transaction nothing = new Transaction.Builder()
                        .readVersion(table.version())
                        .operation(Project.builder().schema(table.getSchema()).build())
                        .build();
                Dataset made = new CommitBuilder(table).detached(true).execute(nothing)) {
            String number = Long.toUnsignedString(made.version());
            if (tagged) {
                // As other tools do; the library's Java puts no tags on such versions.
                Path tags = Files.createDirectories(location.resolve("_refs/tags"));
                Files.writeString(
                        tags.resolve("kept.json"), "{\"branch\":null,\"version\":" + number + ",\"manifestSize\":1}");
            }
            return "d" + number + ".manifest";
        }
    }

    @Test
    void aJobIsKnownToAnotherServerOverTheSameRecords() throws Exception {
        Path place = fresh();
        try (RunningServer other =
                RunningServer.on(folder, Map.of("lance.jobs.worker", "none", "lance.jobs.poll", "200ms"))) {
            Job job = other.bean(JobRegistry.class).submit(TrialJob.spec(Act.WAIT, place, Duration.ZERO));
            // The other server has no workers, so this one's finds it by looking.
            pid(place, 1);
            Files.createFile(place.resolve("go"));
            done(job.id());
            assertThat(other.post("/v1/jobs/describe", job(job.id())).ok().text())
                    .contains("DONE");
        }
    }
}
