package io.rask.catalog.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.namespace.DirectoryNamespace;
import org.lance.namespace.model.CreateNamespaceRequest;

class ManifestUpkeepTest {
    @TempDir
    Path folder;

    @Test
    void tidyingWhileOthersCommitLosesNothingAndRemovesOldVersions() throws Exception {
        NativeRuntime runtime = new NativeRuntime(Settings.of(Map.of()));
        NativeCalls calls = new NativeCalls(Settings.of(Map.of()));
        CatalogRoot root = new CatalogRoot(folder.toString(), Map.of());
        Manifests manifests = new Manifests(runtime, calls, any -> {});
        manifests.initialise(root);
        try (DirectoryNamespace foreign = new DirectoryNamespace()) {
            foreign.initialize(
                    Map.of("root", root.uri(), "manifest_enabled", "true", "dir_listing_enabled", "false"),
                    runtime.allocator());
            // The library's own catalog builds the indices of the manifest as it writes.
            foreign.createNamespace(new CreateNamespaceRequest().addIdItem("foreign"));
        }
        // A clock that runs ahead makes versions old after two seconds; none at all would be unsafe for commits under
        // way.
        ManifestUpkeep upkeep = new ManifestUpkeep(
                runtime, calls, Clock.offset(Clock.systemUTC(), ManifestUpkeep.RETENTION.minusSeconds(2)));
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Integer> rounds = CompletableFuture.supplyAsync(() -> {
            int count = 0;
            while (!done.get()) {
                upkeep.tidy(root);
                count++;
            }
            return count;
        });
        for (int i = 0; i < 150; i++) {
            ManifestEntry entry = ManifestEntry.namespace("ns" + i, null);
            manifests.commit(root, view -> ManifestChange.Plan.put(entry));
        }
        done.set(true);
        assertThat(rounds.get()).isPositive();
        new ManifestUpkeep(runtime, calls, Clock.offset(Clock.systemUTC(), Duration.ofHours(1))).tidy(root);

        Manifests fresh = new Manifests(runtime, calls, any -> {});
        assertThat(fresh.view(root).namespaces("", null, 1000)).hasSize(151);
        assertThat(filesIn(folder.resolve("__manifest/_versions"))).isLessThan(20);
        manifests.destroy();
        fresh.destroy();
        calls.destroy();
        runtime.destroy();
    }

    @Test
    void whatAServerLeftBehindIsTidiedByTheNextOneThatOnlyReads() throws Exception {
        NativeRuntime runtime = new NativeRuntime(Settings.of(Map.of()));
        NativeCalls calls = new NativeCalls(Settings.of(Map.of()));
        CatalogRoot root = new CatalogRoot(folder.resolve("root").toString(), Map.of());
        Manifests before = new Manifests(runtime, calls, any -> {});
        before.initialise(root);
        for (int i = 0; i < 60; i++) {
            ManifestEntry entry = ManifestEntry.namespace("ns" + i, null);
            before.commit(root, view -> ManifestChange.Plan.put(entry));
        }
        before.destroy();
        Path versions = folder.resolve("root/__manifest/_versions");
        assertThat(filesIn(versions)).isGreaterThan(30);

        ManifestUpkeep upkeep =
                new ManifestUpkeep(runtime, calls, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
        ManifestTidying tidying =
                new ManifestTidying(upkeep, TestLeases.in(folder.resolve("records")), Duration.ofMillis(20));
        Manifests reader = new Manifests(runtime, calls, tidying);
        assertThat(reader.view(root).namespaces("", null, 1000)).hasSize(60);
        await().atMost(Duration.ofSeconds(30)).until(() -> filesIn(versions) < 20);
        assertThat(reader.view(root).namespaces("", null, 1000)).hasSize(60);
        tidying.destroy();
        reader.destroy();
        calls.destroy();
        runtime.destroy();
    }

    private static long filesIn(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.count();
        }
    }
}
