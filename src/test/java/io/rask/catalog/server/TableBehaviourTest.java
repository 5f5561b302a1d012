package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Dataset;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/** What the operations on tables promise. */
@ExtendWith(SharedCatalog.Provider.class)
class TableBehaviourTest {
    private static final byte[] OTHER = ArrowStreams.longs("key", 7, 8);

    private final SharedCatalog catalog;
    private final RunningServer server;
    private final SharedCatalog.Home home;
    private final String table;

    TableBehaviourTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.home = catalog.freshNamespace();
        this.table = home.table("t");
    }

    private JsonNode describe(String body) {
        return server.post(table + "/describe", body).ok().json();
    }

    private String count() {
        return server.post(table + "/count_rows").ok().text();
    }

    private List<String> tables() {
        return server.get("/v1/namespace/" + home.namespace() + "/table/list")
                .ok()
                .json()
                .path("tables")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    @Test
    void aTableLivesInANamespace() {
        for (String operation : List.of("/create", "/declare")) {
            String top = "/v1/table/" + catalog.freshName("t") + operation;
            refused(operation.equals("/create") ? server.arrow(top, Rows.THREE) : server.post(top, "{}"), 400, 13);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "exist_ok", "overwrite"})
    void aTableUnderAnAbsentNamespaceIsRefusedAndLeavesNothing(String mode) {
        String query = "/create?mode=" + mode;
        refused(server.arrow("/v1/table/" + id(catalog.freshName("space"), "t") + query, Rows.THREE), 404, 1);
        refused(server.arrow("/v1/table/" + id(home.namespace(), "absent", "t") + query, Rows.THREE), 404, 1);
        refused(server.post("/v1/table/" + id(home.namespace(), "absent", "t") + "/declare", "{}"), 404, 1);
        assertThat(catalog.tableFolders(home.warehouse())).isEmpty();
    }

    @Test
    void createRefusesAnExistingTableAndLeavesItAsItIs() {
        server.arrow(table + "/create", Rows.THREE).ok();
        JsonNode before = describe("{}");
        assertThat(reason(refused(server.arrow(table + "/create", OTHER), 409, 5)))
                .contains("already exists");
        refused(server.arrow(table + "/create?mode=Create", OTHER), 409, 5);
        refused(server.post(table + "/declare", "{}"), 409, 5);
        assertThat(describe("{}")).isEqualTo(before);
        assertThat(count()).isEqualTo("3");
        assertThat(catalog.tableFolders(home.warehouse())).hasSize(1);
    }

    @Test
    void existOkKeepsAnExistingTableAndMakesAMissingOne() {
        String query = "/create?mode=ExistOk&properties=" + id("{\"a\":\"1\"}");
        JsonNode made = server.arrow(table + query, Rows.THREE).ok().json();
        JsonNode kept =
                server.arrow(table + query.replace("1", "2"), OTHER).ok().json();
        assertThat(kept).isEqualTo(made);
        assertThat(kept.path("version").longValue()).isEqualTo(1);
        assertThat(describe("{}").path("properties").path("a").asString()).isEqualTo("1");
        assertThat(count()).isEqualTo("3");
        assertThat(catalog.tableFolders(home.warehouse())).hasSize(1);
    }

    @Test
    void overwriteMakesANewVersionOfTheSameTable() {
        JsonNode first = server.arrow(table + "/create?properties=" + id("{\"a\":\"1\"}"), Rows.THREE)
                .ok()
                .json();
        JsonNode second =
                server.arrow(table + "/create?mode=overwrite", OTHER).ok().json();
        assertThat(second.path("location")).isEqualTo(first.path("location"));
        assertThat(second.path("version").longValue()).isEqualTo(2);
        assertThat(describe("{}")
                        .path("schema")
                        .path("fields")
                        .path(0)
                        .path("name")
                        .asString())
                .isEqualTo("key");
        assertThat(describe("{}").path("properties").path("a").asString()).isEqualTo("1");
        JsonNode old = describe("{\"version\":1}");
        assertThat(old.path("schema").path("fields").path(0).path("name").asString())
                .isEqualTo("id");
        assertThat(server.post(table + "/count_rows", "{\"version\":1}").ok().text())
                .isEqualTo("3");
        assertThat(count()).isEqualTo("2");
        assertThat(tables()).containsExactly("t");
    }

    @Test
    void overwriteMakesAMissingTableAndReplacesGivenProperties() {
        server.arrow(table + "/create?mode=overwrite&properties=" + id("{\"a\":\"1\",\"b\":\"1\"}"), Rows.THREE)
                .ok();
        server.arrow(table + "/create?mode=overwrite&properties=" + id("{\"a\":\"2\"}"), Rows.THREE)
                .ok();
        assertThat(describe("{}").path("properties").path("a").asString()).isEqualTo("2");
        assertThat(describe("{}").path("properties").has("b")).isFalse();
    }

    @Test
    void anEmptyStreamMakesAnEmptyTable() {
        server.arrow(table + "/create", ArrowStreams.longs("id")).ok();
        assertThat(count()).isEqualTo("0");
        assertThat(describe("{}").path("schema").path("fields")).hasSize(1);
    }

    @Test
    void aStreamOfUnknownLengthMakesATable() {
        server.chunked(table + "/create", () -> new ByteArrayInputStream(Rows.THREE))
                .ok();
        assertThat(count()).isEqualTo("3");
    }

    @Test
    void propertiesAreTakenFromTheQueryOrElseFromTheHeader() {
        server.arrow(table + "/create?properties=" + id("{\"a\":\"ä $\"}"), Rows.THREE)
                .ok();
        assertThat(describe("{}").path("properties").path("a").asString()).isEqualTo("ä $");
        server.post(home.table("declared") + "/declare", "{\"properties\":{\"a\":\"1\"}}")
                .ok();
        assertThat(server.post(home.table("declared") + "/describe")
                        .ok()
                        .json()
                        .path("properties")
                        .path("a")
                        .asString())
                .isEqualTo("1");
    }

    @Test
    void describeTellsLocationVersionSchemaAndProperties() throws Exception {
        JsonNode made = server.arrow(table + "/create?properties=" + id("{\"a\":\"1\"}"), Rows.THREE)
                .ok()
                .json();
        JsonNode told = describe("{}");
        assertThat(told.path("table").asString()).isEqualTo("t");
        assertThat(told.path("namespace").path(0).asString()).isEqualTo(home.namespace());
        assertThat(told.path("version").longValue()).isEqualTo(1);
        assertThat(told.path("location")).isEqualTo(made.path("location"));
        assertThat(told.path("properties").path("a").asString()).isEqualTo("1");
        assertThat(told.has("metadata")).isFalse();
        assertThat(told.path("schema")
                        .path("fields")
                        .path(0)
                        .path("type")
                        .path("type")
                        .asString())
                .isEqualTo("int64");
        assertThat(told.has("storage_options")).isFalse();
        assertThat(told.has("table_uri")).isFalse();
        assertThat(told.has("is_only_declared")).isFalse();
        try (Dataset opened = Dataset.open(
                Path.of(URI.create(told.path("location").asString())).toString())) {
            assertThat(opened.countRows()).isEqualTo(3);
        }
    }

    @Test
    void aFlagOfTheBodyWinsOverTheSameFlagOfTheQuery() {
        server.arrow(table + "/create", Rows.THREE).ok();
        String query = table + "/describe?with_table_uri=true&check_declared=true";
        assertThat(server.post(query).ok().json().path("table_uri").asString())
                .isEqualTo(describe("{}").path("location").asString());
        assertThat(server.post(query).ok().json().path("is_only_declared").booleanValue())
                .isFalse();
        JsonNode told = server.post(query, "{\"with_table_uri\":false,\"check_declared\":false}")
                .ok()
                .json();
        assertThat(told.has("table_uri")).isFalse();
        assertThat(told.has("is_only_declared")).isFalse();
        assertThat(server.post(query, "{\"with_table_uri\":null}").ok().json().has("table_uri"))
                .isTrue();
    }

    @Test
    void anAbsentVersionTagOrBranchIsNamedAsWhatItIs() {
        server.arrow(table + "/create", Rows.THREE).ok();
        refused(server.post(table + "/describe", "{\"version\":9}"), 404, 11);
        refused(server.post(table + "/exists", "{\"version\":9}"), 404, 11);
        refused(server.post(table + "/count_rows", "{\"version\":9}"), 404, 11);
        refused(server.post(table + "/describe", "{\"tag\":\"gold\"}"), 404, 8);
        refused(server.post(table + "/describe", "{\"branch\":\"dev\"}"), 404, 22);
        refused(server.post(table + "/count_rows", "{\"branch\":\"dev\"}"), 404, 22);
        refused(server.arrow(table + "/insert?branch=dev", Rows.THREE), 404, 22);
        refused(server.post(table + "/update", "{\"branch\":\"dev\",\"updates\":[[\"id\",\"1\"]]}"), 404, 22);
        refused(server.post(table + "/delete", "{\"branch\":\"dev\",\"predicate\":\"true\"}"), 404, 22);
        refused(server.post(table + "/describe", "{\"tag\":\"gold\",\"version\":1}"), 400, 13);
        server.post(table + "/exists", "{\"version\":1}").ok();
        assertThat(count()).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "9223372036854775807", "18446744073709551616", "1.5", "\"1\"", "true"})
    void aVersionThatCannotBeIsTheCallersError(String version) {
        server.arrow(table + "/create", Rows.THREE).ok();
        for (String operation : List.of("/describe", "/exists", "/count_rows")) {
            Answer answer = server.post(table + operation, "{\"version\":" + version + "}");
            assertThat(answer.status()).as(answer.text()).isIn(400, 404);
            assertThat(answer.code()).isIn(11, 13);
        }
    }

    @Test
    void everyOperationOnAnAbsentTableSaysThatItIsAbsent() {
        for (String operation : List.of("/describe", "/exists", "/drop", "/deregister", "/count_rows")) {
            refused(server.post(table + operation, "{}"), 404, 4);
            refused(server.post("/v1/table/" + id(catalog.freshName("space"), "t") + operation, "{}"), 404, 4);
        }
        refused(server.arrow(table + "/insert", Rows.THREE), 404, 4);
        refused(server.post(table + "/update", "{\"updates\":[[\"id\",\"1\"]]}"), 404, 4);
        refused(server.post(table + "/delete", "{\"predicate\":\"true\"}"), 404, 4);
        refused(server.post(table + "/query", "{\"k\":1,\"vector\":{}}"), 404, 4);
        assertThat(catalog.tableFolders(home.warehouse())).isEmpty();
    }

    @Test
    void aDeclaredTableHasAPlaceButNoVersionAndNoSchema() {
        JsonNode declared = server.post(table + "/declare", "{}").ok().json();
        JsonNode told = describe("{\"check_declared\":true}");
        assertThat(told.path("location")).isEqualTo(declared.path("location"));
        assertThat(told.path("is_only_declared").booleanValue()).isTrue();
        assertThat(told.has("version")).isFalse();
        assertThat(told.has("schema")).isFalse();
        assertThat(declared.path("managed_versioning").booleanValue()).isFalse();
        server.post(table + "/exists").ok();
        refused(server.post(table + "/describe", "{\"version\":1}"), 404, 11);
        refused(server.post(table + "/count_rows"), 409, 19);
        refused(server.post(table + "/update", "{\"updates\":[[\"id\",\"1\"]]}"), 409, 19);
        refused(server.post(table + "/delete", "{\"predicate\":\"true\"}"), 409, 19);
        refused(server.post(table + "/query", "{\"k\":1,\"vector\":{}}"), 409, 19);
        assertThat(tables()).containsExactly("t");
        String list = "/v1/namespace/" + home.namespace() + "/table/list?include_declared=";
        assertThat(server.get(list + "false").ok().json().path("tables")).isEmpty();
        assertThat(server.get(list + "true").ok().json().path("tables")).hasSize(1);
    }

    @Test
    void theFirstInsertMakesADeclaredTable() {
        String location = server.post(table + "/declare", "{\"properties\":{\"a\":\"1\"}}")
                .ok()
                .json()
                .path("location")
                .asString();
        server.arrow(table + "/insert", Rows.THREE).ok();
        JsonNode told = describe("{\"check_declared\":true}");
        assertThat(told.path("location").asString()).isEqualTo(location);
        assertThat(told.path("version").longValue()).isEqualTo(1);
        assertThat(told.path("properties").path("a").asString()).isEqualTo("1");
        assertThat(told.path("is_only_declared").booleanValue()).isFalse();
        assertThat(count()).isEqualTo("3");
    }

    @Test
    void aDeclaredTableThatAClientWroteItselfIsATable() throws Exception {
        Path location = Path.of(URI.create(
                server.post(table + "/declare").ok().json().path("location").asString()));
        server.arrow(home.table("source") + "/create", Rows.THREE).ok();
        copy(
                Path.of(URI.create(server.post(home.table("source") + "/describe")
                        .ok()
                        .json()
                        .path("location")
                        .asString())),
                location);
        assertThat(describe("{}").path("version").longValue()).isEqualTo(1);
        assertThat(count()).isEqualTo("3");
        refused(server.arrow(table + "/create", OTHER), 409, 5);
        assertThat(count()).isEqualTo("3");
    }

    private static void copy(Path from, Path to) throws Exception {
        try (var files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    @Test
    void bytesThatTheCatalogDoesNotKnowAreNeitherAdoptedNorTouched() throws Exception {
        server.arrow(home.table("source") + "/create", Rows.THREE).ok();
        Path source = catalog.root(home.warehouse())
                .resolve(catalog.tableFolders(home.warehouse()).iterator().next());
        Path stray = source.resolveSibling("t.lance");
        Path nested = source.resolveSibling(home.namespace() + "$t");
        copy(source, stray);
        copy(source, nested);
        assertThat(tables()).containsExactly("source");
        refused(server.post(table + "/exists"), 404, 4);
        server.arrow(table + "/create", OTHER).ok();
        assertThat(count()).isEqualTo("2");
        server.post(table + "/drop").ok();
        for (Path bytes : List.of(stray, nested)) {
            try (Dataset untouched = Dataset.open(bytes.toString())) {
                assertThat(untouched.countRows()).isEqualTo(3);
                assertThat(untouched.version()).isEqualTo(1);
            }
        }
    }

    @Test
    void aTableWhoseBytesAreGoneIsToldAsItIsAndCanBeDropped() throws Exception {
        server.arrow(table + "/create", Rows.THREE).ok();
        assertThat(count()).isEqualTo("3");
        FileSystemUtils.deleteRecursively(
                Path.of(URI.create(describe("{}").path("location").asString()).getPath()));
        assertThat(tables()).containsExactly("t");
        server.post(table + "/exists").ok();
        for (String operation : List.of("/count_rows", "/query", "/stats", "/analyze_plan", "/delete", "/update")) {
            Answer answer = server.post(
                    table + operation, "{\"vector\":[],\"k\":5,\"predicate\":\"id > 0\",\"updates\":[[\"id\",\"1\"]]}");
            assertThat(answer.status()).as(operation + answer.text()).isLessThan(500);
        }
        assertThat(describe("{}").path("location").asString()).isNotBlank();
        server.post(table + "/drop").ok();
        assertThat(tables()).isEmpty();
        server.arrow(table + "/create", Rows.THREE).ok();
        assertThat(count()).isEqualTo("3");
    }

    @Test
    void theCatalogChoosesTheLocation() {
        refused(server.post(table + "/declare", "{\"location\":\"file:///etc\"}"), 400, 13);
        refused(server.post(table + "/exists"), 404, 4);
    }

    @Test
    void aDropRemovesTheNameAndTheBytes() {
        server.arrow(table + "/create?properties=" + id("{\"a\":\"1\"}"), Rows.THREE)
                .ok();
        String location = describe("{}").path("location").asString();
        JsonNode gone = server.post(table + "/drop").ok().json();
        assertThat(gone.path("id").valueStream().map(JsonNode::asString)).containsExactly(home.namespace(), "t");
        assertThat(gone.path("location").asString()).isEqualTo(location);
        assertThat(gone.path("properties").path("a").asString()).isEqualTo("1");
        assertThat(Path.of(URI.create(location))).doesNotExist();
        refused(server.post(table + "/exists"), 404, 4);
        refused(server.post(table + "/drop"), 404, 4);
        assertThat(tables()).isEmpty();
        server.arrow(table + "/create", OTHER).ok();
        assertThat(describe("{}").path("location").asString()).isNotEqualTo(location);
        assertThat(count()).isEqualTo("2");
    }

    @Test
    void aDropOfADeclaredTableFreesItsName() {
        server.post(table + "/declare").ok();
        server.post(table + "/drop").ok();
        refused(server.post(table + "/exists"), 404, 4);
        server.post(table + "/declare").ok();
    }

    @Test
    void aFailedCreationLeavesNothingAndAFailedOverwriteLeavesTheTable() {
        byte[] cut = java.util.Arrays.copyOf(Rows.THREE, Rows.THREE.length / 2);
        refused(server.arrow(table + "/create", cut), 400, 13);
        refused(server.post(table + "/exists"), 404, 4);
        assertThat(catalog.tableFolders(home.warehouse())).isEmpty();
        server.arrow(table + "/create", Rows.THREE).ok();
        refused(server.arrow(table + "/create?mode=overwrite", cut), 400, 13);
        assertThat(describe("{}").path("version").longValue()).isEqualTo(1);
        assertThat(count()).isEqualTo("3");
    }

    @Test
    void existsAnswersNothingOnSuccess() {
        server.arrow(table + "/create", Rows.THREE).ok();
        for (String body : List.of("", "{}", "null", "{\"id\":[]}", "{\"version\":null}")) {
            assertThat(server.post(table + "/exists", body).ok().bytes()).isEmpty();
        }
    }
}
