package io.rask.catalog.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;

class ManifestTest {
    private static final int ROUNDS = 30;
    private static NativeRuntime runtime;
    private static NativeCalls calls;
    private static ExecutorService threads;

    @TempDir
    Path folder;

    private CatalogRoot root;
    /** Two servers on one root: nothing but the storage is shared. */
    private Manifests one;

    private Manifests two;

    @BeforeAll
    static void start() {
        runtime = new NativeRuntime(Settings.of(Map.of()));
        calls = new NativeCalls(Settings.of(Map.of("lance.limits.metadata-calls", "32")));
        threads = Executors.newFixedThreadPool(16);
    }

    @AfterAll
    static void stop() throws Exception {
        threads.shutdown();
        calls.destroy();
        runtime.destroy();
    }

    @BeforeEach
    void open() {
        root = new CatalogRoot(folder.toString(), Map.of());
        one = new Manifests(runtime, calls, any -> {});
        two = new Manifests(runtime, calls, any -> {});
        one.initialise(root);
    }

    @AfterEach
    void close() {
        one.destroy();
        two.destroy();
    }

    @Test
    void whatOneServerCommitsTheOtherReadsAtOnce() {
        one.commit(root, creates("ns"));
        assertThat(two.view(root).find("ns")).isPresent();
        two.commit(root, creates("ns$child"));
        assertThat(one.view(root).namespaces("ns", null, 10))
                .extracting(ManifestEntry::name)
                .containsExactly("child");
        one.commit(root, removes("ns$child"));
        assertThat(two.view(root).find("ns$child")).isEmpty();
    }

    @Test
    void aLookWithinANativeCallSeesWhatAnotherServerCommitted() {
        one.view(root);
        two.commit(root, creates("ns"));
        assertThat(calls.stream(() -> one.view(root).find("ns"))).isPresent();
    }

    @Test
    void aCallThatSeveralWaitForLeavesTheThreadOfTheOneThatBeganIt() {
        List<Thread> ran = calls.stream(() -> List.of(
                Thread.currentThread(), calls.metadata(Thread::currentThread), calls.shared(Thread::currentThread)));
        assertThat(ran.get(1)).isSameAs(ran.get(0));
        assertThat(ran.get(2)).isNotSameAs(ran.get(0));
    }

    @Test
    void propertiesLocationsAndAwkwardNamesSurviveTheManifest() {
        one.commit(root, creates("o'neil \"x\""));
        ManifestEntry table = ManifestEntry.table("o'neil \"x\"$tä%b", "00_loc", "{\"k\":\"it's\"}");
        one.commit(root, view -> ManifestChange.Plan.put(table));
        assertThat(two.view(root).find(table.id())).contains(table);
        one.commit(root, removes(table.id()));
        assertThat(two.view(root).find(table.id())).isEmpty();
    }

    @Test
    void rowsOfTypesWeDoNotKnowAreKeptAndNotListed() {
        ManifestEntry foreign = new ManifestEntry("ns$v", "view", null, "{\"q\":1}", List.of("ns$t", "ns$u"));
        one.commit(root, creates("ns"));
        one.commit(root, view -> ManifestChange.Plan.put(foreign));
        two.commit(root, creates("ns$child"));
        assertThat(one.view(root).find("ns$v")).contains(foreign);
        assertThat(one.view(root).tables("ns", null, 10)).isEmpty();
    }

    @Test
    void aRootWithoutAManifestIsUnavailableAndNeverEmpty() {
        CatalogRoot nowhere = new CatalogRoot(folder.resolve("nowhere").toString(), Map.of());
        assertThatThrownBy(() -> one.view(nowhere))
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
    }

    @Test
    void twoServersMayInitialiseOneRootAtTheSameTime() throws Exception {
        for (int round = 0; round < 5; round++) {
            CatalogRoot fresh = new CatalogRoot(folder.resolve("fresh" + round).toString(), Map.of());
            Manifests third = new Manifests(runtime, calls, any -> {});
            List<Object> outcomes = atOnce(Stream.of(one, two, third, new Manifests(runtime, calls, any -> {}))
                    .<Callable<Object>>map(server -> () -> {
                        server.initialise(fresh);
                        return true;
                    })
                    .toList());
            assertThat(outcomes).containsOnly(true);
            one.commit(fresh, creates("ns"));
            assertThat(two.view(fresh).find("ns")).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofEightCreatorsOfOneNameExactlyOneWins(boolean indexed) throws Exception {
        one.commit(root, creates("ns"));
        if (indexed) {
            buildIndex();
        }
        for (int round = 0; round < ROUNDS; round++) {
            String id = "ns$t" + round;
            List<Object> outcomes = atOnce(creators(id, 8));
            assertThat(outcomes.stream().filter(Boolean.TRUE::equals)).hasSize(1);
            assertThat(rowsOf(id)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofEightCreatorsOfOneTopLevelNameExactlyOneWins(boolean indexed) throws Exception {
        one.commit(root, creates("first"));
        if (indexed) {
            buildIndex();
        }
        for (int round = 0; round < ROUNDS; round++) {
            String id = "top" + round;
            List<Object> outcomes = atOnce(creators(id, 8));
            assertThat(outcomes.stream().filter(Boolean.TRUE::equals)).hasSize(1);
            assertThat(rowsOf(id)).isEqualTo(1);
        }
    }

    @Test
    void aCreateAndTheDropOfItsParentNeverLeaveAnOrphan() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String parent = "p" + round;
            one.commit(root, creates(parent));
            atOnce(List.of(
                    () -> committed(one, creates(parent + "$child")), () -> committed(two, removesEmpty(parent))));
            ManifestView view = one.view(root);
            assertThat(view.find(parent + "$child").isPresent()
                            && view.find(parent).isEmpty())
                    .as("a child without its parent in round %s", round)
                    .isFalse();
        }
    }

    @Test
    void unrelatedCreatesOfManyWritersAllSucceed() throws Exception {
        one.commit(root, creates("ns"));
        List<Object> outcomes = atOnce(IntStream.range(0, 80)
                .<Callable<Object>>mapToObj(i -> () -> committed(i % 2 == 0 ? one : two, creates("ns$c" + i)))
                .toList());
        assertThat(outcomes).containsOnly(true);
        assertThat(two.view(root).namespaces("ns", null, 1000)).hasSize(80);
    }

    @Test
    void aMemberOfAGroupThatFailsItsCheckDoesNotFailTheOthers() throws Exception {
        one.commit(root, creates("ns"));
        List<Callable<Object>> tasks = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            String id = "ns$g" + (i / 2);
            tasks.add(() -> committed(one, creates(id)));
        }
        List<Object> outcomes = atOnce(tasks);
        assertThat(outcomes.stream().filter(Boolean.TRUE::equals)).hasSize(8);
        assertThat(one.view(root).namespaces("ns", null, 100)).hasSize(8);
    }

    private List<Callable<Object>> creators(String id, int count) {
        return IntStream.range(0, count)
                .<Callable<Object>>mapToObj(i -> () -> committed(i % 2 == 0 ? one : two, creates(id)))
                .toList();
    }

    /** True when committed, false when a check refused; anything else is a failure of the test. */
    private boolean committed(Manifests server, ManifestChange change) {
        try {
            server.commit(root, change);
            return true;
        } catch (CatalogException e) {
            assertThat(e.code())
                    .isIn(
                            ErrorCode.NAMESPACE_ALREADY_EXISTS,
                            ErrorCode.NAMESPACE_NOT_FOUND,
                            ErrorCode.NAMESPACE_NOT_EMPTY);
            return false;
        }
    }

    private static ManifestChange creates(String id) {
        ManifestEntry entry = ManifestEntry.namespace(id, null);
        return view -> {
            if (view.find(id).isPresent()) {
                throw CatalogException.of(ErrorCode.NAMESPACE_ALREADY_EXISTS, id);
            }
            if (!entry.parent().isEmpty() && view.namespace(entry.parent()).isEmpty()) {
                throw CatalogException.of(ErrorCode.NAMESPACE_NOT_FOUND, entry.parent());
            }
            return ManifestChange.Plan.put(entry);
        };
    }

    private static ManifestChange removes(String id) {
        return view -> ManifestChange.Plan.remove(id);
    }

    private static ManifestChange removesEmpty(String id) {
        return view -> {
            if (!view.namespaces(id, null, 1).isEmpty()) {
                throw CatalogException.of(ErrorCode.NAMESPACE_NOT_EMPTY, id);
            }
            return ManifestChange.Plan.remove(id);
        };
    }

    private void buildIndex() {
        try (Dataset manifest = Dataset.open(root.resolve(Manifest.FOLDER))) {
            manifest.createIndex(IndexOptions.builder(
                            List.of("object_id"),
                            IndexType.BTREE,
                            IndexParams.builder()
                                    .setScalarIndexParams(ScalarIndexParams.create("btree"))
                                    .build())
                    .withIndexName("object_id_btree")
                    .replace(true)
                    .build());
            assertThat(manifest.listIndexes()).contains("object_id_btree");
        }
    }

    private long rowsOf(String id) {
        try (Dataset manifest = Dataset.open(root.resolve(Manifest.FOLDER))) {
            return manifest.countRows("object_id = '" + id + "'");
        }
    }

    private static List<Object> atOnce(List<Callable<Object>> tasks) throws Exception {
        List<Object> outcomes = new ArrayList<>();
        for (Future<Object> future : threads.invokeAll(tasks)) {
            outcomes.add(future.get());
        }
        return outcomes;
    }
}
