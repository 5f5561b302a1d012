package io.rask.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code catalog estate reconcile} as an operator runs it. */
class EstateCommandTest {
    @TempDir
    Path folder;

    /** What a run has printed, and with what it ended. */
    private record Run(int end, String out, String progress) {
        JsonNode category(String name) {
            return JsonMapper.shared()
                    .readTree(out)
                    .path("categories")
                    .valueStream()
                    .filter(category -> category.path("name").asString().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Run run(Map<String, String> settings, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        settings.forEach((name, value) -> all.add("--" + name + "=" + value));
        all.add("--lance.rest.root=" + folder.resolve("lance"));
        all.add("--lance.control.root=" + folder.resolve("control"));
        all.add("--lance.storage.allowed-roots=" + folder);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream progress = new ByteArrayOutputStream();
        int end = EstateApplication.run(
                all,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(progress, true, StandardCharsets.UTF_8));
        return new Run(end, out.toString(StandardCharsets.UTF_8), progress.toString(StandardCharsets.UTF_8));
    }

    private static String table() {
        return "/v1/table/" + RunningServer.id("shop", "t");
    }

    @Test
    void whatMakesNoSenseIsRefusedAndAnInstallationWithoutRightsHasNothingToCompare() {
        assertThat(run(Map.of(), "reconcile", "--repare").end()).isEqualTo(4);
        assertThat(run(Map.of(), "rebuild").end()).isEqualTo(4);
        assertThat(run(Map.of(), "reconcile", "--owner=nobody").end()).isEqualTo(4);
        Run none = run(Map.of(), "reconcile");
        assertThat(none.end()).as(none.progress()).isEqualTo(3);
        assertThat(none.progress()).contains("lance.fga.enabled");
    }

    @Test
    void anEngineThatLostEverythingGetsTheWholeStructureBack() {
        Map<String, String> settings = new HashMap<>(OpenFga.shared().settings());
        settings.put("lance.bootstrap.administrator", "root");
        settings.put("lance.fga.timeout-seconds", "30");
        try (RunningServer server = RunningServer.on(folder, settings, HeaderIdentification.class)) {
            RunningServer root = server.asking(HeaderIdentification.USER, "root");
            await().until(() -> server.get("/readyz").status() == 200);
            root.makeNamespace("acme", "lake", "shop");
            root.post(table() + "/declare", "{}").ok();
            assertThat(run(settings, "reconcile").end()).isZero();
        }
        settings.put("lance.fga.store-name", settings.get("lance.fga.store-name") + "-anew");
        Run seen = run(settings, "reconcile", "--grace=10ms", "--json");
        assertThat(seen.end()).as(seen.progress()).isEqualTo(1);
        for (String kind : List.of("projects", "warehouses", "namespaces", "tables")) {
            assertThat(seen.category("ungoverned_" + kind).path("count").asInt())
                    .as(kind)
                    .isEqualTo(1);
        }
        assertThat(seen.category("ghost_tables").path("count").asInt(-1)).isZero();
        Run mended = run(settings, "reconcile", "--repair", "--owner=user:olga", "--grace=10ms");
        assertThat(mended.end()).as(mended.out() + mended.progress()).isZero();
        assertThat(mended.out()).contains("ungoverned_tables: 1, repaired 1");
        assertThat(run(settings, "reconcile", "--grace=10ms").end()).isZero();
        try (RunningServer server = RunningServer.on(folder, settings, HeaderIdentification.class)) {
            await().until(() -> server.get("/readyz").status() == 200);
            RunningServer stranger = server.asking(HeaderIdentification.USER, "stranger");
            assertThat(stranger.post(table() + "/exists", "{}").status()).isEqualTo(403);
            RunningServer olga = server.asking(HeaderIdentification.USER, "olga");
            olga.post(table() + "/exists", "{}").ok();
            olga.post(table() + "/drop", "{}").ok();
        }
    }
}
