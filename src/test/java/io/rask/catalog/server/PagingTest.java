package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Listings come in pages that neither repeat nor miss an item. */
@ExtendWith(SharedCatalog.Provider.class)
class PagingTest {
    private static final int MOST = 1_000;

    private final SharedCatalog catalog;
    private final RunningServer server;

    PagingTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    /** A listing: its address, and the field its items are in. */
    private record Listing(String path, String field) {
        String names(JsonNode item) {
            return item.isString()
                    ? item.asString()
                    : item.path(field.equals("projects") ? "project" : "id").asString();
        }
    }

    private record Page(List<String> names, String next) {}

    private Page page(Listing listing, String query) {
        JsonNode answer = server.get(listing.path() + query).ok().json();
        return new Page(
                answer.path(listing.field()).valueStream().map(listing::names).toList(),
                answer.path("page_token").asString(""));
    }

    /** All pages, each of the given size; no token comes twice. */
    private List<String> walk(Listing listing, int limit) {
        List<String> all = new ArrayList<>();
        List<String> tokens = new ArrayList<>();
        Page page = page(listing, "?limit=" + limit);
        while (true) {
            assertThat(page.names().size()).isLessThanOrEqualTo(limit);
            all.addAll(page.names());
            if (page.next().isEmpty()) {
                return all;
            }
            assertThat(page.names()).hasSize(limit);
            assertThat(tokens).doesNotContain(page.next());
            tokens.add(page.next());
            page = page(listing, "?limit=" + limit + "&page_token=" + id(page.next()));
        }
    }

    private Listing children(String namespace) {
        return new Listing("/v1/namespace/" + id(namespace) + "/list", "namespaces");
    }

    private static Listing tables(String namespace) {
        return new Listing("/v1/namespace/" + id(namespace) + "/table/list", "tables");
    }

    private void makeChild(String namespace, String name) {
        server.post("/v1/namespace/" + id(namespace, name) + "/create", "{}").ok();
    }

    private void declare(String namespace, String name) {
        server.post("/v1/table/" + id(namespace, name) + "/declare", "{}").ok();
    }

    @Test
    void pagesOfEverySizeHoldTheSameSortedItems() {
        String namespace = catalog.freshNamespace().namespace();
        List<String> names = List.of("B", "a", "a b", "a+b", "a/b", "aa", "b", "ä", "日本", "\uD83D\uDE00");
        names.forEach(name -> makeChild(namespace, name));
        names.forEach(name -> declare(namespace, "t" + name));
        for (int limit : new int[] {1, 3, 9, 10, 11, MOST}) {
            assertThat(walk(children(namespace), limit))
                    .isEqualTo(names.stream().sorted().toList());
            assertThat(walk(tables(namespace), limit))
                    .isEqualTo(names.stream().map(name -> "t" + name).sorted().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?limit=1000", "?limit=1001", "?limit=2147483647", "?limit=9223372036854775807"})
    void aLimitAboveThe1000IsA1000(String query) throws IOException {
        List<Path> records = plantProjects(MOST + 5);
        try {
            Page page = page(new Listing("/v1/projects", "projects"), query);
            assertThat(page.names()).hasSize(MOST).isSorted().doesNotHaveDuplicates();
            assertThat(page.next()).isEqualTo(page.names().getLast());
            List<String> all = walk(new Listing("/v1/projects", "projects"), MOST);
            assertThat(all).hasSizeGreaterThan(MOST + 4).isSorted().doesNotHaveDuplicates();
        } finally {
            for (Path record : records) {
                Files.delete(record);
            }
        }
    }

    /** Many records at once, as another server would have written them. */
    private List<Path> plantProjects(int count) throws IOException {
        String model = catalog.freshProject();
        Path original = catalog.record("_projects/" + model + ".json");
        String content = Files.readString(original);
        List<Path> planted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = "planted-%04d".formatted(i);
            Path record = original.resolveSibling(name + ".json");
            Files.write(
                    record, content.replace('"' + model + '"', '"' + name + '"').getBytes(StandardCharsets.UTF_8));
            planted.add(record);
        }
        return planted;
    }

    @Test
    void anEmptyTokenIsTheFirstPageAndTheLastPageHasNone() {
        String namespace = catalog.freshNamespace().namespace();
        List.of("a", "b", "c").forEach(name -> makeChild(namespace, name));
        assertThat(page(children(namespace), "?page_token=&limit=2")).isEqualTo(new Page(List.of("a", "b"), "b"));
        assertThat(page(children(namespace), "?page_token=b&limit=2")).isEqualTo(new Page(List.of("c"), ""));
        assertThat(page(children(namespace), "?limit=3")).isEqualTo(new Page(List.of("a", "b", "c"), ""));
        assertThat(page(children(namespace), "?page_token=c")).isEqualTo(new Page(List.of(), ""));
        assertThat(server.get(children(namespace).path()).ok().json().has("page_token"))
                .isFalse();
    }

    @Test
    void aBareNameIsATokenWhetherItExistsOrNot() {
        String namespace = catalog.freshNamespace().namespace();
        List.of("a", "b", "c").forEach(name -> declare(namespace, name));
        assertThat(page(tables(namespace), "?page_token=a").names()).containsExactly("b", "c");
        assertThat(page(tables(namespace), "?page_token=aa").names()).containsExactly("b", "c");
        assertThat(page(tables(namespace), "?page_token=0").names()).containsExactly("a", "b", "c");
        assertThat(page(tables(namespace), "?page_token=" + id("~$*?/..")).names())
                .isEmpty();
    }

    @Test
    void anItemThatIsDroppedBetweenTwoPagesShiftsNothing() {
        String namespace = catalog.freshNamespace().namespace();
        List.of("a", "b", "c", "d").forEach(name -> makeChild(namespace, name));
        Page first = page(children(namespace), "?limit=2");
        server.post("/v1/namespace/" + id(namespace, "b") + "/drop").ok();
        server.post("/v1/namespace/" + id(namespace, "a") + "/drop").ok();
        makeChild(namespace, "aa");
        assertThat(page(children(namespace), "?limit=2&page_token=" + first.next())
                        .names())
                .containsExactly("c", "d");
    }

    @Test
    void pagesStayWholeWhileOthersCreateAndDrop() throws Exception {
        String namespace = catalog.freshNamespace().namespace();
        List<String> kept = IntStream.range(0, 20).mapToObj("k%02d"::formatted).toList();
        kept.forEach(name -> makeChild(namespace, name));
        kept.forEach(name -> declare(namespace, "t" + name));
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService writers = Executors.newFixedThreadPool(2)) {
            List<Future<?>> running = List.of(
                    writers.submit(() -> churn(
                            over,
                            name -> makeChild(namespace, name),
                            name -> server.post("/v1/namespace/" + id(namespace, name) + "/drop")
                                    .ok())),
                    writers.submit(() -> churn(
                            over,
                            name -> declare(namespace, "t" + name),
                            name -> server.post("/v1/table/" + id(namespace, "t" + name) + "/drop")
                                    .ok())));
            try {
                for (int round = 0; round < 15; round++) {
                    assertWhole(walk(children(namespace), 3), kept);
                    assertWhole(
                            walk(tables(namespace), 3),
                            kept.stream().map(name -> "t" + name).toList());
                }
            } finally {
                over.set(true);
            }
            for (Future<?> writer : running) {
                writer.get();
            }
        }
    }

    private interface Change {
        void of(String name);
    }

    /** Makes and drops names that lie between those that stay. */
    private static void churn(AtomicBoolean over, Change make, Change drop) {
        for (int i = 0; !over.get(); i++) {
            String name = "k%02dx".formatted(i % 20);
            make.of(name);
            drop.of(name);
        }
    }

    private static void assertWhole(List<String> seen, List<String> kept) {
        assertThat(seen).isSorted().doesNotHaveDuplicates().containsAll(kept);
    }

    @Test
    void everyListingOfAWarehouseIsPaged() {
        String project = catalog.freshProject();
        List<String> warehouses =
                Stream.of("a", "b", "c").map(name -> project + "-" + name).toList();
        warehouses.forEach(warehouse -> server.post(
                        "/v1/warehouses", "{\"id\":\"" + warehouse + "\",\"project\":\"" + project + "\"}")
                .ok());
        String home = warehouses.getFirst();
        List<String> namespaces =
                Stream.of("c", "a", "b").map(name -> project + name).toList();
        namespaces.forEach(namespace -> catalog.bind(home, namespace));
        assertThat(walk(new Listing("/v1/warehouses/" + home + "/namespaces", "namespaces"), 2))
                .containsExactlyElementsOf(namespaces.stream().sorted().toList());
        assertThat(walk(new Listing("/v1/warehouses", "warehouses"), 2))
                .isSorted()
                .containsAll(warehouses);
        assertThat(walk(new Listing("/v1/namespace/$/list", "namespaces"), 2))
                .isSorted()
                .containsAll(namespaces);
        assertThat(walk(new Listing("/v1/projects", "projects"), 2)).isSorted().contains(project);
        JsonNode first = server.get("/v1/warehouses/-/bindings?limit=1").ok().json();
        assertThat(first.path("bindings")).hasSize(1);
        assertThat(first.path("page_token"))
                .isEqualTo(first.path("bindings").path(0).path("namespace"));
    }

    @Test
    void aListingOfAnAbsentNamespaceIsAbsentAndNotEmpty() {
        String namespace = catalog.freshNamespace().namespace();
        refused(server.get(children(catalog.freshName("space")).path()), 404, 1);
        refused(server.get("/v1/namespace/" + id(namespace, "absent") + "/list"), 404, 1);
        refused(server.get("/v1/namespace/" + id(namespace, "absent") + "/table/list"), 404, 1);
        refused(server.get(tables(catalog.freshName("space")).path()), 404, 1);
    }
}
