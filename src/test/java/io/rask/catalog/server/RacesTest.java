package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
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
import org.lance.namespace.model.CreateNamespaceRequest;

/** Two servers on one root, and clients that all want the same thing. */
class RacesTest {
    private static final int ROUNDS = 30;
    private static final int CREATORS = 8;
    private static final byte[] ROWS = ArrowStreams.longs("id", 1, 2, 3);

    @TempDir
    static Path folder;

    private static RunningServer one;
    private static RunningServer two;
    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        one = RunningServer.on(folder, Map.of());
        two = RunningServer.on(folder, Map.of());
        threads = Executors.newFixedThreadPool(CREATORS);
    }

    @AfterAll
    static void stop() {
        threads.shutdown();
        one.close();
        two.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofEightCreatorsOfOneTableExactlyOneWinsAndTheOthersLeaveNothing(boolean indexed) throws Exception {
        String warehouse = indexed ? "race-indexed" : "race-plain";
        String namespace = indexed ? "indexed" : "plain";
        one.makeNamespace("acme", warehouse, namespace);
        if (indexed) {
            buildIndices(warehouse);
        }
        for (int round = 0; round < ROUNDS; round++) {
            String path = "/v1/table/" + RunningServer.id(namespace, "t" + round) + "/create";
            List<Answer> answers = atOnce(IntStream.range(0, CREATORS)
                    .<Callable<Answer>>mapToObj(i -> () -> (i % 2 == 0 ? one : two).arrow(path, ROWS))
                    .toList());
            assertThat(answers.stream().filter(answer -> answer.status() == 200))
                    .hasSize(1);
            assertThat(answers.stream().filter(answer -> answer.status() != 200))
                    .allSatisfy(answer -> assertThat(answer.code()).isEqualTo(5));
        }
        assertThat(tables(namespace)).hasSize(ROUNDS);
        assertThat(foldersOf(warehouse)).isEqualTo(registered(warehouse)).hasSize(ROUNDS);
    }

    @Test
    void creatorsThatAcceptAnExistingTableAllSucceedOnTheSameOne() throws Exception {
        one.makeNamespace("acme", "race-exist", "exist");
        for (int round = 0; round < ROUNDS; round++) {
            String path = "/v1/table/" + RunningServer.id("exist", "t" + round) + "/create?mode=exist_ok";
            List<Answer> answers = atOnce(IntStream.range(0, CREATORS)
                    .<Callable<Answer>>mapToObj(i -> () -> (i % 2 == 0 ? one : two).arrow(path, ROWS))
                    .toList());
            assertThat(answers.stream()
                            .map(answer -> answer.ok().json().path("location").asString()))
                    .containsOnly(answers.getFirst().json().path("location").asString());
        }
        assertThat(foldersOf("race-exist")).isEqualTo(registered("race-exist")).hasSize(ROUNDS);
    }

    @Test
    void aTableMadeWhileItsNamespaceIsDroppedNeverOutlivesIt() throws Exception {
        one.makeNamespace("acme", "race-drop", "parents");
        for (int round = 0; round < ROUNDS; round++) {
            String parent = RunningServer.id("parents", "p" + round);
            String table = RunningServer.id("parents", "p" + round, "t");
            one.post("/v1/namespace/" + parent + "/create", "{}").ok();
            List<Answer> answers = atOnce(List.of(
                    () -> one.arrow("/v1/table/" + table + "/create", ROWS),
                    () -> two.post("/v1/namespace/" + parent + "/drop", "{}")));
            assertThat(answers.get(0).status()).isIn(200, 404);
            assertThat(answers.get(1).status()).isIn(200, 409);
            assertThat(answers.stream().filter(answer -> answer.status() == 200))
                    .hasSize(1);
            boolean hasParent = two.post("/v1/namespace/" + parent + "/exists").status() == 200;
            boolean hasTable = one.post("/v1/table/" + table + "/exists").status() == 200;
            assertThat(hasTable).isEqualTo(hasParent);
        }
        assertThat(foldersOf("race-drop")).isEqualTo(registered("race-drop"));
    }

    @Test
    void appendsOfManyWritersThroughTwoServersLoseNoRow() throws Exception {
        one.makeNamespace("acme", "race-append", "appends");
        String table = "/v1/table/" + RunningServer.id("appends", "t");
        one.arrow(table + "/create", ROWS).ok();
        List<Answer> answers = atOnce(IntStream.range(0, 40)
                .<Callable<Answer>>mapToObj(i ->
                        () -> (i % 2 == 0 ? one : two).arrow(table + "/insert", ArrowStreams.longs("id", 10 + i)))
                .toList());
        answers.forEach(Answer::ok);
        assertThat(one.post(table + "/count_rows", "{}").ok().text()).isEqualTo("43");
        assertThat(two.post(table + "/count_rows", "{\"predicate\":\"id >= 10\"}")
                        .ok()
                        .text())
                .isEqualTo("40");
    }

    @Test
    void firstInsertsIntoADeclaredTableThroughTwoServersKeepEveryAcknowledgedRow() throws Exception {
        one.makeNamespace("acme", "race-first", "first");
        for (int round = 0; round < ROUNDS; round++) {
            String table = "/v1/table/" + RunningServer.id("first", "t" + round);
            two.post(table + "/declare", "{}").ok();
            List<Answer> answers = atOnce(IntStream.range(0, 4)
                    .<Callable<Answer>>mapToObj(
                            i -> () -> (i % 2 == 0 ? one : two).arrow(table + "/insert", ArrowStreams.longs("id", i)))
                    .toList());
            long accepted =
                    answers.stream().filter(answer -> answer.status() == 200).count();
            assertThat(accepted).isPositive();
            assertThat(answers.stream().filter(answer -> answer.status() != 200))
                    .allSatisfy(answer -> assertThat(answer.code()).isEqualTo(14));
            assertThat(one.post(table + "/count_rows", "{}").ok().text()).isEqualTo(String.valueOf(accepted));
        }
    }

    private static List<String> tables(String namespace) {
        List<String> names = new ArrayList<>();
        one.get("/v1/namespace/" + namespace + "/table/list")
                .ok()
                .json()
                .path("tables")
                .forEach(name -> names.add(name.asString()));
        return names;
    }

    /** Lance's own directory catalog builds the indices of the manifest when it writes. */
    private static void buildIndices(String warehouse) {
        try (RootAllocator allocator = new RootAllocator();
                DirectoryNamespace foreign = new DirectoryNamespace()) {
            foreign.initialize(
                    Map.of(
                            "root", folder.resolve("lance").resolve(warehouse).toString(),
                            "manifest_enabled", "true",
                            "dir_listing_enabled", "false"),
                    allocator);
            foreign.createNamespace(new CreateNamespaceRequest().addIdItem("foreign"));
        }
        try (Dataset manifest = Dataset.open(folder.resolve("lance").resolve(warehouse) + "/__manifest")) {
            assertThat(manifest.listIndexes()).contains("object_id_btree");
        }
    }

    private static Set<String> foldersOf(String warehouse) throws IOException {
        try (Stream<Path> folders = Files.list(folder.resolve("lance").resolve(warehouse))) {
            Set<String> names = new TreeSet<>();
            folders.map(path -> path.getFileName().toString())
                    .filter(name -> !name.equals("__manifest"))
                    .forEach(names::add);
            return names;
        }
    }

    /** The locations in the manifest, each row counted: a duplicate row fails. */
    private static Set<String> registered(String warehouse) throws Exception {
        Set<String> locations = new TreeSet<>();
        try (Dataset manifest = Dataset.open(folder.resolve("lance").resolve(warehouse) + "/__manifest");
                var scanner = manifest.newScan();
                var reader = scanner.scanBatches()) {
            while (reader.loadNextBatch()) {
                var batch = reader.getVectorSchemaRoot();
                for (int row = 0; row < batch.getRowCount(); row++) {
                    if (!batch.getVector("location").isNull(row)) {
                        assertThat(locations.add(batch.getVector("location")
                                        .getObject(row)
                                        .toString()))
                                .isTrue();
                    }
                }
            }
        }
        return locations;
    }

    private static List<Answer> atOnce(List<Callable<Answer>> tasks) throws Exception {
        List<Answer> answers = new ArrayList<>();
        for (Future<Answer> future : threads.invokeAll(tasks)) {
            answers.add(future.get());
        }
        return answers;
    }
}
