package io.rask.catalog.lance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.testing.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.namespace.DirectoryNamespace;
import org.lance.namespace.model.CreateNamespaceRequest;
import org.lance.namespace.model.DropNamespaceRequest;

/** Two servers and the library's own catalog write to one manifest, and each must know what the others did. */
class ManifestModelTest {
    private static final int STEPS = 400;

    @TempDir
    Path folder;

    private NativeRuntime runtime;
    private NativeCalls calls;
    private CatalogRoot root;
    private Manifests one;
    private Manifests two;
    private DirectoryNamespace foreign;

    @BeforeEach
    void open() {
        runtime = new NativeRuntime(Settings.of(Map.of()));
        calls = new NativeCalls(Settings.of(Map.of()));
        root = new CatalogRoot(folder.toString(), Map.of());
        one = new Manifests(runtime, calls, any -> {});
        two = new Manifests(runtime, calls, any -> {});
        one.initialise(root);
        foreign = new DirectoryNamespace();
        foreign.initialize(
                Map.of("root", root.uri(), "manifest_enabled", "true", "dir_listing_enabled", "false"),
                runtime.allocator());
    }

    @AfterEach
    void close() throws Exception {
        foreign.close();
        one.destroy();
        two.destroy();
        calls.destroy();
        runtime.destroy();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyWriterSeesWhatAllOthersDid(boolean withForeign) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<String, ManifestEntry> model = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            if (withForeign && random.nextInt(8) == 0) {
                change(random, model);
            } else {
                change(random, random.nextBoolean() ? one : two, model);
            }
            if (step % 40 == 39) {
                assertThat(all(one)).as("seed %s step %s", seed, step).isEqualTo(model);
                assertThat(all(two)).as("seed %s step %s", seed, step).isEqualTo(model);
            }
        }
        Manifests fresh = new Manifests(runtime, calls, any -> {});
        assertThat(all(fresh)).as("seed %s", seed).isEqualTo(model);
        fresh.destroy();
        try (Dataset manifest = Dataset.open(root.resolve(Manifest.FOLDER))) {
            assertThat(manifest.countRows()).isEqualTo(model.size());
            assertThat(manifest.getFragments()).hasSizeLessThan(60);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "parent$"})
    void ofUsAndTheLibraryOnlyOneGetsAName(String parent) throws Exception {
        one.commit(root, view -> ManifestChange.Plan.put(ManifestEntry.namespace("parent", null)));
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 30; round++) {
                String id = parent + "raced" + round;
                Future<Boolean> ours = threads.submit(() -> ours(id));
                Future<Boolean> theirs = threads.submit(() -> theirs(id));
                int winners = (ours.get() ? 1 : 0) + (theirs.get() ? 1 : 0);
                try (Dataset manifest = Dataset.open(root.resolve(Manifest.FOLDER))) {
                    assertThat(manifest.countRows("object_id = '" + id + "'"))
                            .as("rows of round %s", round)
                            .isEqualTo(1);
                }
                assertThat(winners).as("winners of round %s", round).isEqualTo(1);
            }
        }
    }

    @Test
    void aChangeThatReplacesManyRowsKeepsTheOthers() {
        for (int i = 0; i < 60; i++) {
            ManifestEntry entry = ManifestEntry.namespace("ns" + i, "{\"n\":\"" + i + "\"}");
            one.commit(root, view -> ManifestChange.Plan.put(entry));
        }
        one.commit(
                root,
                view -> new ManifestChange.Plan(
                        List.of(ManifestEntry.namespace("ns7", "{}"), ManifestEntry.namespace("new", null)),
                        List.of("ns3", "ns4", "ns59"),
                        List.of("ns1")));
        Map<String, ManifestEntry> seen = all(two);
        assertThat(seen).hasSize(58).containsKeys("new", "ns0", "ns58").doesNotContainKeys("ns3", "ns4", "ns59");
        assertThat(seen)
                .containsEntry("ns7", ManifestEntry.namespace("ns7", "{}"))
                .containsEntry("ns1", ManifestEntry.namespace("ns1", "{\"n\":\"1\"}"));
    }

    private boolean ours(String id) {
        try {
            one.commit(root, view -> {
                if (view.find(id).isPresent()) {
                    throw CatalogException.invalid("taken");
                }
                return ManifestChange.Plan.put(ManifestEntry.namespace(id, null));
            });
            return true;
        } catch (CatalogException e) {
            return false;
        }
    }

    private boolean theirs(String id) {
        try {
            foreign.createNamespace(new CreateNamespaceRequest().id(List.of(id.split("\\$"))));
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void change(Random random, Manifests server, Map<String, ManifestEntry> model) {
        List<String> ids = new ArrayList<>(model.keySet());
        String some = ids.isEmpty() ? "" : ids.get(random.nextInt(ids.size()));
        boolean leaf = model.keySet().stream().noneMatch(id -> id.startsWith(some + "$"));
        switch (random.nextInt(6)) {
            case 0 -> {
                if (!some.isEmpty() && leaf) {
                    server.commit(root, view -> ManifestChange.Plan.remove(some));
                    model.remove(some);
                }
            }
            case 1 -> {
                if (!some.isEmpty()) {
                    ManifestEntry other = entry(model, some).withMetadata("{\"v\":\"" + random.nextInt() + "\"}");
                    server.commit(root, view -> ManifestChange.Plan.put(other));
                    model.put(some, other);
                }
            }
            default -> {
                String parent = random.nextInt(3) == 0
                                || some.isEmpty()
                                || !entry(model, some).isNamespace()
                        ? ""
                        : some + "$";
                String id = parent + "o" + random.nextInt(1_000_000);
                ManifestEntry entry = random.nextBoolean() || parent.isEmpty()
                        ? ManifestEntry.namespace(id, null)
                        : ManifestEntry.table(id, "loc" + random.nextInt(1_000_000), "{\"a\":\"b\"}");
                if (!model.containsKey(id)) {
                    server.commit(root, view -> ManifestChange.Plan.put(entry));
                    model.put(id, entry);
                }
            }
        }
    }

    private static ManifestEntry entry(Map<String, ManifestEntry> model, String id) {
        return Objects.requireNonNull(model.get(id), id);
    }

    /** A change by the library's own catalog. */
    private void change(Random random, Map<String, ManifestEntry> model) {
        List<String> empty = model.keySet().stream()
                .filter(id -> entry(model, id).isNamespace()
                        && model.keySet().stream().noneMatch(other -> other.startsWith(id + "$")))
                .toList();
        if (!empty.isEmpty() && random.nextInt(3) == 0) {
            String gone = empty.get(random.nextInt(empty.size()));
            foreign.dropNamespace(new DropNamespaceRequest().id(List.of(gone.split("\\$"))));
            model.remove(gone);
            return;
        }
        String id = "foreign" + random.nextInt(1_000_000);
        foreign.createNamespace(new CreateNamespaceRequest().addIdItem(id));
        model.put(id, ManifestEntry.namespace(id, null));
    }

    private Map<String, ManifestEntry> all(Manifests server) {
        Map<String, ManifestEntry> found = new HashMap<>();
        collect(server.view(root), "", found);
        return found;
    }

    private static void collect(ManifestView view, String parent, Map<String, ManifestEntry> found) {
        for (ManifestEntry entry : view.children(parent)) {
            found.put(entry.id(), entry);
            if (entry.isNamespace()) {
                collect(view, entry.id(), found);
            }
        }
    }
}
