package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The list of the tables of all namespaces and warehouses. */
class TableListingTest {
    private static final List<String> ALL = List.of(
            "alpha$inner$deep$t", "alpha$inner$t", "alpha$t1", "alpha$t2", "beta$declared", "beta$t", "gamma$t");

    @TempDir
    static Path folder;

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.on(folder, Map.of());
        server.makeNamespace("acme", "lake-one", "alpha");
        server.makeNamespace("acme", "lake-two", "beta");
        server.makeNamespace("other", "lake-three", "gamma");
        server.post("/v1/namespace/" + id("alpha", "inner") + "/create", "{}").ok();
        server.post("/v1/namespace/" + id("alpha", "inner", "deep") + "/create", "{}")
                .ok();
        for (String table : ALL) {
            String address = "/v1/table/" + id(table.split("\\$", -1));
            if (table.endsWith("declared")) {
                server.post(address + "/declare").ok();
            } else {
                server.arrow(address + "/create", Rows.THREE).ok();
            }
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<String> names(JsonNode page) {
        return page.path("tables").valueStream().map(JsonNode::asString).toList();
    }

    private static List<String> pages(String address, String query) {
        List<String> all = new ArrayList<>();
        List<String> tokens = new ArrayList<>();
        String token = "";
        do {
            JsonNode page =
                    server.get(address + query + "&page_token=" + token).ok().json();
            all.addAll(names(page));
            token = page.has("page_token") ? id(page.path("page_token").asString()) : "";
            assertThat(tokens).doesNotContain(token);
            tokens.add(token);
        } while (!token.isEmpty());
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/table", "/v1/table/"})
    void nestedNamespacesOfEveryWarehouseAreListedInOrder(String address) {
        assertThat(names(server.get(address).ok().json())).isEqualTo(ALL);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 7, 1000, Integer.MAX_VALUE})
    void pagesOfEverySizeHoldTheSame(int limit) {
        assertThat(pages("/v1/table", "?limit=" + limit)).isEqualTo(ALL);
        assertThat(pages("/v1/table/", "?limit=" + limit)).isEqualTo(ALL);
    }

    @Test
    void aBareNameIsAToken() {
        assertThat(names(server.get("/v1/table/?limit=2&page_token=alpha%24t1")
                        .ok()
                        .json()))
                .containsExactly("alpha$t2", "beta$declared");
        assertThat(names(server.get("/v1/table/?page_token=b").ok().json()))
                .containsExactlyElementsOf(ALL.subList(4, 7));
        assertThat(names(server.get("/v1/table/?page_token=zzz").ok().json())).isEmpty();
    }

    @Test
    void idsAreJoinedByTheDelimiterOfTheRequest() {
        assertThat(names(server.get("/v1/table?delimiter=.").ok().json()))
                .isEqualTo(ALL.stream().map(name -> name.replace('$', '.')).toList());
        assertThat(pages("/v1/table", "?delimiter=.&limit=2"))
                .hasSize(ALL.size())
                .doesNotHaveDuplicates();
        assertThat(names(server.get("/v1/table?delimiter=.&page_token=alpha.t2&limit=1")
                        .ok()
                        .json()))
                .containsExactly("beta.declared");
    }

    @Test
    void declaredTablesAreLeftOutOnRequest() {
        assertThat(pages("/v1/table", "?include_declared=false&limit=2"))
                .hasSize(ALL.size() - 1)
                .doesNotContain("beta$declared");
        assertThat(pages("/v1/table", "?include_declared=true&limit=2")).isEqualTo(ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=-1", "limit=x", "limit=1.5", "include_declared=maybe", "delimiter="})
    void aQueryThatMeansNothingIsRefused(String query) {
        refused(server.get("/v1/table?" + query), 400, 13);
    }

    @Test
    void aDeactivatedWarehouseIsNotListed() {
        server.post("/v1/warehouses/lake-two/deactivate").ok();
        try {
            assertThat(pages("/v1/table", "?limit=2")).hasSize(ALL.size() - 2).doesNotContain("beta$t");
        } finally {
            server.post("/v1/warehouses/lake-two/activate").ok();
        }
    }

    @Test
    void aWarehouseThatCannotBeReadIsNotLeftOut() throws Exception {
        Path record = folder.resolve("control/_warehouses/lake-three.json");
        try (Tampered corrupt = Tampered.corrupt(record)) {
            refused(server.get("/v1/table"), 503, 17);
        }
        Path manifest = folder.resolve("lance/lake-three/__manifest");
        Path hidden = folder.resolve("hidden");
        Files.move(manifest, hidden);
        try {
            refused(server.get("/v1/table"), 503, 17);
        } finally {
            Files.move(hidden, manifest);
        }
        assertThat(pages("/v1/table", "?limit=3")).isEqualTo(ALL);
    }

    @Test
    void pagesNeitherRepeatNorMissATableWhileOthersComeAndGo() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = 0; !done.get(); i++) {
                String table = "/v1/table/" + id(i % 2 == 0 ? "alpha" : "gamma", "passing-" + i % 5);
                server.post(table + "/declare").ok();
                server.post(table + "/deregister").ok();
            }
        });
        try {
            for (int round = 0; round < 20; round++) {
                List<String> seen = pages("/v1/table", "?limit=" + (1 + round % 3));
                assertThat(seen).doesNotHaveDuplicates().isSorted().containsAll(ALL);
            }
        } finally {
            done.set(true);
            writer.get();
        }
    }
}
