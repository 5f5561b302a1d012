package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.lance.Ref;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What may be registered, and what must not. */
@ExtendWith(SharedCatalog.Provider.class)
class TableRegistrationTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String table;
    private final Path root;

    TableRegistrationTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
        this.root = catalog.root(home.warehouse());
    }

    /** A dataset of three rows in two versions that no table leads to. */
    @BeforeEach
    void strayDataset() throws IOException {
        String source = home.table("source");
        server.arrow(source + "/create", ArrowStreams.longs("id", 1)).ok();
        server.arrow(source + "/insert", ArrowStreams.longs("id", 2, 3)).ok();
        FileSystemUtils.copyRecursively(folder(source), root.resolve("stray"));
    }

    private Path folder(String address) {
        return Clones.folder(
                server.post(address + "/describe").ok().json().path("location").asString());
    }

    private Answer register(String location) {
        return register(table, location, "create");
    }

    private Answer register(String address, String location, String mode) {
        ObjectNode body = JSON.createObjectNode().put("location", location).put("mode", mode);
        body.putObject("properties").put("a", "1");
        return server.post(address + "/register", body.toString());
    }

    private String count(String address) {
        return server.post(address + "/count_rows").ok().text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stray", "stray/", "{uri}/stray", "{path}/stray"})
    void aDatasetInsideTheWarehouseIsATableWithAllItsVersionsAndTheGivenProperties(String location) {
        String uri = root.toUri().toString().replaceAll("/+$", "");
        JsonNode made = register(location.replace("{uri}", uri).replace("{path}", root.toString()))
                .ok()
                .json();
        assertThat(made.path("location").asString()).isEqualTo(uri + "/stray");
        assertThat(made.path("properties").path("a").asString()).isEqualTo("1");
        JsonNode told = server.post(table + "/describe").ok().json();
        assertThat(told.path("properties")).isEqualTo(made.path("properties"));
        assertThat(told.path("location")).isEqualTo(made.path("location"));
        assertThat(count(table)).isEqualTo("3");
        assertThat(server.post(table + "/count_rows", "{\"version\":1}").ok().text())
                .isEqualTo("1");
        server.arrow(table + "/insert", ArrowStreams.longs("id", 4)).ok();
        assertThat(count(table)).isEqualTo("4");
        server.post(table + "/drop").ok();
        assertThat(root.resolve("stray")).doesNotExist();
        assertThat(count(home.table("source"))).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                ".",
                "/",
                "",
                " ",
                "../{other}/stray",
                "a/../stray",
                "./stray",
                "a//stray",
                "%2e%2e/{other}",
                "%2E%2E%2Fx",
                "..%2f{other}",
                "%252e%252e/x",
                "%25252525252e",
                "a\\..\\stray",
                "a%5c..%5cstray",
                "stray%00",
                "__manifest",
                "__manifest/data",
                "_control",
                "_trash/x",
                "stray/_versions",
                "/etc",
                "/etc/passwd",
                "file:///etc",
                "file://host/stray",
                "file:stray",
                "s3://bucket/stray",
                "s3://user:secret@bucket/stray",
                "http://169.254.169.254/latest",
                "memory://x",
                "C:\\stray",
                "{uri}",
                "{uri}/",
                "{uri}/../{other}/stray",
                "{uri}/%2e%2e/{other}",
                "{uri}/__manifest",
                "{uri}-beside/stray",
                "{uri}/stray?x=1#%41",
                "{otherUri}/stray"
            })
    void aLocationThatIsNotSurelyTheWarehousesOwnIsRefused(String location) throws IOException {
        SharedCatalog.Home other = catalog.freshNamespace();
        FileSystemUtils.copyRecursively(
                root.resolve("stray"), catalog.root(other.warehouse()).resolve("stray"));
        String uri = root.toUri().toString().replaceAll("/+$", "");
        String asked = location.replace("{uri}", uri)
                .replace(
                        "{otherUri}",
                        catalog.root(other.warehouse()).toUri().toString().replaceAll("/+$", ""))
                .replace("{other}", other.warehouse());
        refused(register(asked), 400, 13);
        refused(server.post(table + "/exists"), 404, 4);
    }

    @Test
    void aLocationThatNoFileSystemTakesIsTheCallersError() {
        refused(register("(".repeat(256)), 400, 13);
        refused(register("é".repeat(128)), 400, 13);
        refused(register("a/" + "b".repeat(2_000)), 400, 13);
    }

    @Test
    void aLinkThatLeadsOutOfTheWarehouseIsRefused() throws IOException {
        SharedCatalog.Home other = catalog.freshNamespace();
        Path foreign = catalog.root(other.warehouse()).resolve("stray");
        FileSystemUtils.copyRecursively(root.resolve("stray"), foreign);
        Files.createSymbolicLink(root.resolve("link"), foreign);
        refused(register("link"), 400, 13);
        refused(server.post(table + "/exists"), 404, 4);
    }

    @Test
    void aLocationBelongsToOneTable() {
        register("stray").ok();
        assertThat(reason(refused(register(home.table("u"), "stray", "create"), 409, 5)))
                .contains("location");
        refused(register(home.table("u"), "stray/inner", "create"), 409, 5);
        refused(register(home.table("u"), "stray", "overwrite"), 409, 5);
        server.post(home.table("u") + "/declare").ok();
        refused(register(home.table("u"), "stray", "overwrite"), 409, 5);
        assertThat(count(table)).isEqualTo("3");
    }

    @Test
    void aPlaceAroundOrInsideAnotherDatasetIsRefused() throws IOException {
        Path nested = root.resolve("outer/inner");
        Files.createDirectories(nested.getParent());
        Files.move(root.resolve("stray"), nested);
        register("outer/inner").ok();
        refused(register(home.table("u"), "outer", "create"), 409, 5);
        FileSystemUtils.copyRecursively(nested, root.resolve("other"));
        FileSystemUtils.copyRecursively(nested, root.resolve("other/tree/b"));
        refused(register(home.table("u"), "other/tree/b", "create"), 400, 13);
    }

    @Test
    void aPlaceWithoutADatasetIsRefused() throws IOException {
        assertThat(reason(refused(register("nothing"), 400, 13))).contains("no Lance dataset");
        Files.createDirectories(root.resolve("empty/_versions"));
        refused(register("empty"), 400, 13);
        Files.createDirectories(root.resolve("folder/data"));
        refused(register("folder"), 400, 13);
        Files.writeString(root.resolve("file"), "x");
        refused(register("file"), 400, 13);
        refused(server.post(table + "/exists"), 404, 4);
    }

    private Path newestManifest(Path dataset) throws IOException {
        try (Stream<Path> versions = Files.list(dataset.resolve("_versions"))) {
            return versions.filter(path -> path.toString().endsWith(".manifest"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aDamagedDatasetIsRefusedAndNothingIsLeft() throws IOException {
        Path manifest = newestManifest(root.resolve("stray"));
        byte[] whole = Files.readAllBytes(manifest);
        for (byte[] damaged : List.of(
                new byte[0],
                "not a manifest".getBytes(StandardCharsets.UTF_8),
                Arrays.copyOf(whole, whole.length - 5),
                Arrays.copyOfRange(whole, whole.length - 20, whole.length))) {
            Files.write(manifest, damaged);
            Answer answer = register("stray");
            assertThat(answer.code()).as(answer.text()).isIn(13, 17);
            refused(server.post(table + "/exists"), 404, 4);
        }
        Files.write(manifest, whole);
        register("stray").ok();
        assertThat(count(table)).isEqualTo("3");
    }

    @Test
    void aDatasetThatReadsFilesElsewhereIsRefusedAndOneThatReadsTheWarehousesOwnIsNot() throws IOException {
        SharedCatalog.Home other = catalog.freshNamespace();
        server.arrow(other.table("secret") + "/create", Rows.THREE).ok();
        Clones.make(folder(other.table("secret")), root.resolve("thief"));
        assertThat(reason(refused(register("thief"), 400, 13))).contains("outside");
        refused(server.post(table + "/exists"), 404, 4);
        Clones.make(root.resolve("stray"), root.resolve("clone"));
        register("clone").ok();
        assertThat(count(table)).isEqualTo("3");
    }

    @Test
    void aBranchThatReadsFilesElsewhereIsSeenToo() throws IOException {
        SharedCatalog.Home other = catalog.freshNamespace();
        server.arrow(other.table("secret") + "/create", Rows.THREE).ok();
        Clones.make(folder(other.table("secret")), root.resolve("thief"));
        Files.createDirectories(root.resolve("stray/tree/feat"));
        Files.move(root.resolve("thief"), root.resolve("stray/tree/feat/x"));
        assertThat(reason(refused(register("stray"), 400, 13))).contains("outside");
    }

    @Test
    void filesOfAnUnknownFeatureAreRefused() throws IOException {
        Path manifest = newestManifest(root.resolve("stray"));
        byte[] whole = Files.readAllBytes(manifest);
        Files.write(manifest, ManifestBytes.withFeatures(whole, 1L << 20));
        refused(register("stray"), 409, 19);
        refused(server.post(table + "/exists"), 404, 4);
    }

    @Test
    void overwriteLeadsTheNameElsewhereInOneStepAndLeavesTheOldBytes() throws IOException {
        server.arrow(table + "/create?properties=" + id("{\"old\":\"1\"}"), ArrowStreams.longs("key", 9))
                .ok();
        Path before = folder(table);
        refused(register("stray"), 409, 5);
        register(table, "stray", "Overwrite").ok();
        assertThat(count(table)).isEqualTo("3");
        JsonNode told = server.post(table + "/describe").ok().json();
        assertThat(told.path("properties").has("old")).isFalse();
        assertThat(told.path("properties").path("a").asString()).isEqualTo("1");
        try (Dataset kept = Dataset.open(before.toString())) {
            assertThat(kept.countRows()).isEqualTo(1);
        }
        register(table, "stray", "overwrite").ok();
        assertThat(count(table)).isEqualTo("3");
        register(home.table("again"), String.valueOf(before.getFileName()), "create")
                .ok();
        assertThat(count(home.table("again"))).isEqualTo("1");
    }

    @Test
    void aRegistrationNeedsItsNamespaceALocationAKnownModeAndTheLanceFormat() {
        refused(register("/v1/table/" + id(home.namespace(), "absent", "t"), "stray", "create"), 404, 1);
        refused(register("/v1/table/" + id(catalog.freshName("space"), "t"), "stray", "create"), 404, 1);
        refused(register("/v1/table/" + catalog.freshName("t"), "stray", "create"), 400, 13);
        refused(register(table, "stray", "exist_ok"), 400, 13);
        refused(server.post(table + "/register", "{}"), 400, 13);
        refused(server.post(table + "/register", "{\"location\":null}"), 400, 13);
        refused(server.post(table + "/register", "{\"location\":[\"stray\"]}"), 400, 13);
        refused(
                server.post(table + "/register", "{\"location\":\"stray\",\"properties\":{\"format\":\"iceberg\"}}"),
                400,
                13);
        refused(server.post(table + "/exists"), 404, 4);
    }

    @Test
    void tagsAndBranchesOfARegisteredDatasetAreReachable() {
        try (Dataset dataset = Dataset.open(root.resolve("stray").toString())) {
            dataset.tags().create("gold", Ref.ofMain(1));
            dataset.createBranch("dev", Ref.ofMain(1)).close();
        }
        server.post(table + "/register/", "{\"location\":\"stray\"}").ok();
        assertThat(server.post(table + "/describe", "{\"tag\":\"gold\"}")
                        .ok()
                        .json()
                        .path("version")
                        .longValue())
                .isEqualTo(1);
        assertThat(server.post(table + "/count_rows", "{\"branch\":\"dev\"}")
                        .ok()
                        .text())
                .isEqualTo("1");
    }
}
