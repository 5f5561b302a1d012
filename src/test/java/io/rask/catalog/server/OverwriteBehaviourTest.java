package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.CatalogRoot;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.namespace.DirectoryNamespace;
import org.lance.namespace.model.DescribeTableRequest;
import tools.jackson.databind.JsonNode;

/** Rows and properties that are replaced together, by two servers over one store. */
class OverwriteBehaviourTest {
    private static final int ROUNDS = 20;
    private static final String MARKS = "rask:overwrites";

    @TempDir
    static Path folder;

    private static RunningServer one;
    private static RunningServer two;
    private static final AtomicInteger TABLES = new AtomicInteger();

    private final ObjectId name = ObjectId.of("sales", "t" + TABLES.incrementAndGet());
    private final String table = "/v1/table/" + id("sales", name.name());

    @BeforeAll
    static void start() {
        one = RunningServer.on(folder, Map.of());
        two = RunningServer.on(folder, Map.of());
        one.makeNamespace("acme", "lake-one", "sales");
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
    }

    private Answer overwrite(RunningServer server, String properties, long... rows) {
        return server.arrow(
                table + "/create?mode=overwrite&properties=" + id(properties), ArrowStreams.longs("id", rows));
    }

    private static JsonNode properties(RunningServer server, String table) {
        return server.post(table + "/describe").ok().json().path("properties");
    }

    private Path place() {
        return Clones.folder(
                one.post(table + "/describe").ok().json().path("location").asString());
    }

    private static CatalogRoot root() {
        return one.bean(Locator.class)
                .locate(ObjectId.of("sales"))
                .orElseThrow()
                .root();
    }

    private ManifestEntry row() {
        return one.bean(Manifests.class).view(root()).table(name.stored()).orElseThrow();
    }

    /** The row of the table as a crash leaves it between the commit of the rows and that of the properties. */
    private void leaveMark(String transaction, Instant at) {
        String marks =
                "{\\\"marks\\\":[{\\\"transaction\\\":\\\"%s\\\",\\\"at\\\":%d,\\\"properties\\\":{\\\"a\\\":\\\"new\\\"}}]}"
                        .formatted(transaction, at.toEpochMilli());
        one.bean(Manifests.class)
                .commit(
                        root(),
                        view -> ManifestChange.Plan.put(view.table(name.stored())
                                .orElseThrow()
                                .withMetadata("{\"a\":\"old\",\"" + MARKS + "\":\"" + marks + "\"}")));
    }

    private String transaction() {
        return transaction(place());
    }

    private static String transaction(Path place) {
        try (Dataset dataset = Dataset.open(place.toString())) {
            return dataset.getConfig().get("rask.overwrite");
        }
    }

    @Test
    void rowsAndPropertiesAreReplacedAndTheRowKeepsNoMark() {
        one.arrow(table + "/create?properties=" + id("{\"a\":\"1\",\"b\":\"2\"}"), Rows.THREE)
                .ok();
        JsonNode made = overwrite(one, "{\"a\":\"new\"}", 7, 8).ok().json();
        assertThat(made.path("version").longValue()).isEqualTo(2);
        assertThat(made.path("properties")).hasSize(1);
        assertThat(properties(two, table)).hasSize(1);
        assertThat(properties(two, table).path("a").asString()).isEqualTo("new");
        assertThat(row().metadata()).isEqualTo("{\"a\":\"new\"}");
        one.arrow(table + "/create?mode=overwrite", Rows.THREE).ok();
        assertThat(properties(two, table).path("a").asString()).isEqualTo("new");
    }

    /** The number of rows tells whose they are. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofOverwritesAtTheSameTimeRowsAndPropertiesAreOfOne(boolean declared) throws Exception {
        try (Race race = new Race(4)) {
            for (int round = 0; round < ROUNDS; round++) {
                if (round == 0 || declared) {
                    server(round).post(table + "/drop");
                    server(round).post(table + "/declare", "{}").ok();
                }
                List<Answer> answers = race.run(runner -> overwrite(
                        server(runner),
                        "{\"rows\":\"" + (runner + 1) + "\"}",
                        LongStream.rangeClosed(0, runner).toArray()));
                assertThat(answers)
                        .allSatisfy(answer ->
                                assertThat(answer.status()).as(answer.text()).isIn(200, 409));
                assertThat(answers)
                        .anySatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
                for (RunningServer server : List.of(one, two)) {
                    String rows = server.post(table + "/count_rows").ok().text();
                    assertThat(properties(server, table).path("rows").asString())
                            .as("round " + round)
                            .isEqualTo(rows);
                    assertThat(answers.get(Integer.parseInt(rows) - 1).status()).isEqualTo(200);
                }
                assertThat(row().metadata()).doesNotContain(MARKS);
            }
        }
    }

    private static RunningServer server(int number) {
        return number % 2 == 0 ? one : two;
    }

    @Test
    void anOverwriteThatNeverHappenedLeavesThePropertiesAndItsMarkGoesInTime() {
        one.arrow(table + "/create", Rows.THREE).ok();
        leaveMark(UUID.randomUUID().toString(), Instant.now());
        assertThat(properties(two, table)).hasSize(1);
        assertThat(properties(two, table).path("a").asString()).isEqualTo("old");
        assertThat(row().metadata()).contains(MARKS);
        assertThat(overwrite(one, "{\"a\":\"next\"}", 1).ok().json().path("properties"))
                .hasSize(1);
        assertThat(properties(two, table).path("a").asString()).isEqualTo("next");
        leaveMark(UUID.randomUUID().toString(), Instant.now().minus(Duration.ofHours(2)));
        assertThat(properties(two, table).path("a").asString()).isEqualTo("old");
        assertThat(row().metadata()).isEqualTo("{\"a\":\"old\"}");
    }

    @Test
    void anOverwriteThatHappenedIsBroughtToItsEndByWhoeverLooksNext() {
        overwritten();
        leaveMark(transaction(), Instant.now());
        assertThat(two.post(table + "/describe", "{\"version\":1}")
                        .ok()
                        .json()
                        .path("properties")
                        .path("a")
                        .asString())
                .isEqualTo("new");
        assertThat(row().metadata()).isEqualTo("{\"a\":\"new\"}");
        leaveMark(transaction(), Instant.now());
        assertThat(two.post(table + "/drop")
                        .ok()
                        .json()
                        .path("properties")
                        .path("a")
                        .asString())
                .isEqualTo("new");
    }

    private void overwritten() {
        one.arrow(table + "/create", Rows.THREE).ok();
        overwrite(one, "{\"a\":\"new\"}", 1, 2, 3).ok();
    }

    /** What comes later must not make it look as if the overwrite had not happened. */
    @Test
    void theLastOverwriteIsToldAfterEveryLaterChange() {
        overwritten();
        String transaction = transaction();
        List<Runnable> changes = List.of(
                () -> one.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok(),
                () -> one.arrow(table + "/insert?mode=overwrite", Rows.THREE).ok(),
                () -> one.arrow(table + "/create?mode=overwrite", Rows.THREE).ok(),
                () -> one.post(table + "/update", "{\"updates\":[[\"id\",\"id + 1\"]]}")
                        .ok(),
                () -> one.post(table + "/delete", "{\"predicate\":\"id = 2\"}").ok(),
                () -> one.post(
                                table + "/alter_columns",
                                "{\"alterations\":[{\"path\":\"id\",\"data_type\":{\"type\":\"int32\"}}]}")
                        .ok(),
                () -> one.post(table + "/restore", "{\"version\":2}").ok(),
                () -> {
                    try (Dataset dataset = Dataset.open(place().toString())) {
                        dataset.compact();
                    }
                });
        for (Runnable change : changes) {
            change.run();
            assertThat(transaction())
                    .as("after change " + changes.indexOf(change))
                    .isEqualTo(transaction);
            leaveMark(transaction, Instant.now());
            assertThat(properties(two, table).path("a").asString()).isEqualTo("new");
        }
        overwrite(two, "{\"a\":\"later\"}", 1).ok();
        leaveMark(transaction, Instant.now());
        assertThat(properties(two, table).path("a").asString()).isEqualTo("old");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/drop", "/deregister"})
    void aTableWithAMarkThatNobodyCanReadLeavesTheCatalogAllTheSame(String departure) throws IOException {
        overwritten();
        Path place = place();
        leaveMark(transaction(place), Instant.now());
        try (Stream<Path> versions = Files.list(place.resolve("_versions"))) {
            for (Path version : versions.toList()) {
                Files.writeString(version, "damaged");
            }
        }
        try (RunningServer fresh = RunningServer.on(folder, Map.of())) {
            assertThat(fresh.post(table + "/describe").status()).isNotEqualTo(200);

            JsonNode gone = fresh.post(table + departure).ok().json();

            assertThat(gone.path("properties").path("a").asString()).isEqualTo("old");
            refused(fresh.post(table + "/exists"), 404, 4);
            // Bytes of which nobody can say what they are go with no drop.
            assertThat(place).exists();
        }
    }

    @Test
    void otherToolsTellTheProperties() {
        overwritten();
        leaveMark(UUID.randomUUID().toString(), Instant.now());
        try (RootAllocator allocator = new RootAllocator();
                DirectoryNamespace theirs = new DirectoryNamespace()) {
            theirs.initialize(
                    Map.of("root", root().uri(), "manifest_enabled", "true", "dir_listing_enabled", "false"),
                    allocator);
            assertThat(theirs.describeTable(new DescribeTableRequest()
                                    .id(List.of("sales", name.name()))
                                    .loadDetailedMetadata(true))
                            .getProperties())
                    .containsEntry("a", "old")
                    .containsKey(MARKS);
        }
    }

    @Test
    void propertiesThatAreTheCatalogsOwnAreRefused() {
        String properties = "{\"rask:overwrites\":\"[]\"}";
        refused(one.post(table + "/declare", "{\"properties\":" + properties + "}"), 400, 13);
        refused(one.arrow(table + "/create?properties=" + id(properties), Rows.THREE), 400, 13);
        refused(one.post(table + "/exists"), 404, 4);
        one.arrow(table + "/create", Rows.THREE).ok();
        refused(overwrite(one, properties, 1), 400, 13);
        assertThat(one.post(table + "/count_rows").ok().text()).isEqualTo("3");
    }

    @Test
    void aStreamThatIsNoneLeavesRowsPropertiesAndNoMark() {
        overwritten();
        refused(
                one.arrow(table + "/create?mode=overwrite&properties=" + id("{\"a\":\"x\"}"), new byte[] {1, 2, 3}),
                400,
                13);
        assertThat(row().metadata()).isEqualTo("{\"a\":\"new\"}");
        assertThat(one.post(table + "/count_rows").ok().text()).isEqualTo("3");
    }
}
