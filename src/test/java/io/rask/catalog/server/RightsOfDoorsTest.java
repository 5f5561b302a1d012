package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.reason;
import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.AuditLines;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What single doors ask beside what they declare, and what they tell those who may not. */
@Tag("engine")
class RightsOfDoorsTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static GovernedCatalog catalog;
    private static RunningServer olga;

    @BeforeAll
    static void start() {
        catalog = GovernedCatalog.shared();
        olga = catalog.as("olga");
    }

    private static String fresh(String kind) {
        return kind + "-of-doors-" + NAMES.incrementAndGet();
    }

    private static String path(String... segments) {
        return "/v1/table/" + id(segments);
    }

    private static String space(String... segments) {
        return "/v1/namespace/" + id(segments);
    }

    private static String freshTable() {
        String name = fresh("table");
        olga.arrow(path("shop", name) + "/create", ArrowStreams.longs("id", 1, 2))
                .ok();
        return name;
    }

    private static String freshSpace() {
        String name = fresh("space");
        olga.post(space("shop", name) + "/create", "{}").ok();
        return name;
    }

    /** A user with one right. */
    private static String holder(String rung, AccessObject object) {
        String user = fresh(rung);
        catalog.grant(user, rung, object);
        return user;
    }

    private static Set<Tuple> facts(AccessObject object) {
        return Set.copyOf(catalog.engine().of(ObjectNames.of(object)));
    }

    @Test
    void replacingANamespaceOrARegistrationNeedsTheRightToDestroyIt() {
        RunningServer writer = catalog.as(holder("writer", namespace("shop")));
        String theirs = freshSpace();
        refused(writer.post(space("shop", theirs) + "/create", "{\"mode\":\"overwrite\"}"), 403, 15);
        String mine = space("shop", fresh("space"));
        writer.post(mine + "/create", "{\"mode\":\"overwrite\"}").ok();
        writer.post(mine + "/create", "{\"mode\":\"overwrite\"}").ok();
        String there = freshTable();
        String body = "{\"location\":\"nowhere\",\"mode\":\"overwrite\"}";
        refused(writer.post(path("shop", there) + "/register", body), 403, 15);
        // Where nothing is replaced the door is open, and the place is looked at.
        assertThat(writer.post(path("shop", fresh("table")) + "/register", body).code())
                .isNotIn(-1, 15);
        assertThat(olga.post(path("shop", there) + "/count_rows", "{}").text()).isEqualTo("2");
    }

    @Test
    void whoMayDropButNotMakeReplacesNothing() {
        String name = freshTable();
        RunningServer owner = catalog.as(holder("owner", table("shop", name)));
        String rows = path("shop", name) + "/create?mode=overwrite";
        refused(owner.arrow(rows, ArrowStreams.longs("id", 7)), 403, 15);
        String inner = freshSpace();
        RunningServer innerOwner = catalog.as(holder("owner", namespace("shop", inner)));
        refused(innerOwner.post(space("shop", inner) + "/create", "{\"mode\":\"overwrite\"}"), 403, 15);
        assertThat(olga.post(path("shop", name) + "/count_rows", "{}").text()).isEqualTo("2");
        owner.post(path("shop", name) + "/drop?purge=true", "{}").ok();
    }

    @Test
    void aBatchIsRefusedForOneTableThatIsAnothers() {
        String mine = freshTable();
        String theirs = freshTable();
        RunningServer writer = catalog.as(holder("writer", table("shop", mine)));
        String entry = "{\"id\":[\"shop\",\"%s\"],\"version\":2,\"manifest_path\":\"staged\"}";
        refused(
                writer.post(
                        "/v1/table/version/batch-create",
                        "{\"entries\":[" + entry.formatted(mine) + "," + entry.formatted(theirs) + "]}"),
                403,
                15);
        // Of his own alone it comes through the door, and fails for what it says.
        assertThat(writer.post("/v1/table/version/batch-create", "{\"entries\":[" + entry.formatted(mine) + "]}")
                        .code())
                .isNotIn(-1, 15);
        String removal = "{\"delete_table_versions\":{\"id\":[\"shop\",\"%s\"],"
                + "\"ranges\":[{\"start_version\":1,\"end_version\":2}]}}";
        String declared = "{\"declare_table\":{\"id\":[\"shop\",\"" + fresh("table") + "\"]}}";
        // Who writes drops no versions, neither of his table nor of another's.
        for (String name : List.of(mine, theirs)) {
            refused(
                    writer.post("/v1/table/batch-commit", "{\"operations\":[" + removal.formatted(name) + "]}"),
                    403,
                    15);
        }
        RunningServer owner = catalog.as(holder("owner", table("shop", mine)));
        refused(
                owner.post(
                        "/v1/table/batch-commit",
                        "{\"operations\":[" + removal.formatted(mine) + "," + removal.formatted(theirs) + "]}"),
                403,
                15);
        refused(
                owner.post(
                        "/v1/table/batch-commit",
                        "{\"operations\":[" + removal.formatted(mine) + "," + declared + "]}"),
                403,
                15);
        for (String name : List.of(mine, theirs)) {
            assertThat(olga.post(path("shop", name) + "/version/list", "{}")
                            .ok()
                            .json()
                            .path("versions"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?force=true"})
    void forceGivesAWriterNoRightToDestroy(String force) {
        String name = freshTable();
        String inner = freshSpace();
        String writer = holder("writer", table("shop", name));
        catalog.grant(writer, "writer", namespace("shop", inner));
        for (String locked : List.of("false", "true")) {
            String protection = "{\"protected\":" + locked + "}";
            olga.post(path("shop", name) + "/protection", protection).ok();
            olga.post(space("shop", inner) + "/protection", protection).ok();
            for (String[] door : new String[][] {
                {"/drop", "{}"},
                {"/deregister", "{}"},
                {"/version/delete", "{\"ranges\":[{\"start_version\":1,\"end_version\":2}]}"},
                {"/tags/delete", "{\"tag\":\"gold\"}"},
                {"/branches/delete", "{\"name\":\"dev\"}"},
                {"/purge", "{}"}
            }) {
                refused(catalog.as(writer).post(path("shop", name) + door[0] + force, door[1]), 403, 15);
            }
            refused(
                    catalog.as(writer)
                            .arrow(
                                    path("shop", name) + "/create" + (force.isEmpty() ? "?" : force + "&")
                                            + "mode=overwrite",
                                    ArrowStreams.longs("id", 7)),
                    403,
                    15);
            refused(catalog.as(writer).post(space("shop", inner) + "/drop" + force, "{}"), 403, 15);
        }
        assertThat(olga.post(path("shop", name) + "/count_rows", "{}").text()).isEqualTo("2");
    }

    /** What an answer says but for the name, and for what tells one request from another. */
    private static JsonNode told(Answer answer, String name) {
        ObjectNode body = (ObjectNode) answer.json().deepCopy();
        body.remove(List.of("request_id", "instance"));
        return tools.jackson.databind.json.JsonMapper.shared()
                .readTree(body.toString().replace(name, "X"));
    }

    @Test
    void aDenialAboveNamespacesIsWordForWordAnAbsence() {
        RunningServer stranger = catalog.as("stranger");
        for (String[] door : new String[][] {
            {"POST", "/v1/warehouses/%s/activate", "lake"},
            {"POST", "/v1/warehouses/%s/deactivate", "lake"},
            {"POST", "/v1/warehouses/%s/protection", "lake"},
            {"GET", "/v1/warehouses/%s/trash", "lake"},
            {"DELETE", "/v1/warehouses/%s", "lake"},
            {"DELETE", "/v1/warehouses/%s?force=true&cascade=true", "lake"},
            {"GET", "/v1/projects/%s/protection", "acme"},
            {"POST", "/v1/projects/%s/protection", "acme"},
            {"GET", "/v1/projects/%s/trash", "acme"},
            {"DELETE", "/v1/projects/%s", "acme"},
            {"DELETE", "/v1/projects/%s?dry_run=true", "acme"}
        }) {
            Answer there = asked(stranger, door[0], door[1].formatted(door[2]));
            Answer absent = asked(stranger, door[0], door[1].formatted("no-such"));
            assertThat(there.status()).as(door[1]).isEqualTo(404);
            assertThat(told(there, door[2])).as(door[1]).isEqualTo(told(absent, "no-such"));
        }
        assertThat(olga.get("/v1/warehouses/lake").ok().json().path("status").asString())
                .isEqualTo("active");
    }

    private static Answer asked(RunningServer caller, String method, String path) {
        return switch (method) {
            case "GET" -> caller.get(path);
            case "DELETE" -> caller.delete(path);
            default -> caller.post(path, "{\"protected\":true}");
        };
    }

    @Test
    void whoIsAnAdministratorOfNoRecordHasNoProject() {
        catalog.grant("ghost", "admin", AccessObject.project("no-record"));
        RunningServer ghost = catalog.as("ghost");
        refused(ghost.get("/v1/projects/no-record"), 404, 4);
        refused(ghost.delete("/v1/projects/no-record"), 404, 4);
        Answer answer = ghost.post("/v1/warehouses", "{\"id\":\"ghost-lake\",\"project\":\"no-record\"}");
        assertThat(reason(refused(answer, 404, 4))).contains("/v1/projects");
        RunningServer admin = catalog.as(GovernedCatalog.ADMIN);
        assertThat(admin.get("/v1/projects").ok().text()).doesNotContain("no-record");
        refused(admin.get("/v1/warehouses/ghost-lake"), 403, 15);
        refused(admin.get("/v1/projects/no-record"), 404, 4);
    }

    @Test
    void aRegistrationThatIsRefusedLeavesRightsAndProtectionAsTheyWere() {
        String name = freshTable();
        String reader = holder("reader", table("shop", name));
        olga.post(path("shop", name) + "/protection", "{\"protected\":true}").ok();
        Set<Tuple> before = facts(table("shop", name));
        for (String location : List.of("no-such-dataset", "../elsewhere", "s3://other/place", "__manifest")) {
            for (String mode : List.of("create", "overwrite")) {
                String body = "{\"location\":\"" + location + "\",\"mode\":\"" + mode + "\"}";
                for (String force : List.of("", "?force=true")) {
                    assertThat(olga.post(path("shop", name) + "/register" + force, body)
                                    .status())
                            .as(body + force)
                            .isBetween(400, 409);
                }
            }
        }
        assertThat(facts(table("shop", name))).isEqualTo(before);
        assertThat(olga.get(path("shop", name) + "/protection").ok().text()).contains("\"protected\":true");
        assertThat(catalog.as(reader)
                        .post(path("shop", name) + "/count_rows", "{}")
                        .text())
                .isEqualTo("2");
        refused(olga.post(path("shop", name) + "/drop", "{}"), 409, 19);
    }

    @Test
    void aReadOfDataThatIsAllowedIsOnRecord() {
        String name = freshTable();
        String reader = holder("reader", table("shop", name));
        try (AuditLines lines = AuditLines.listen()) {
            catalog.as(reader)
                    .post(path("shop", name) + "/query", "{\"k\":1,\"vector\":{}}")
                    .ok();
            List<JsonNode> told = lines.told().stream()
                    .filter(line -> line.path("who").asString("").equals(reader))
                    .toList();
            assertThat(told).hasSize(1);
            assertThat(told.getFirst().path("verdict").asString()).isEqualTo("ALLOW");
            assertThat(told.getFirst().path("relation").asString()).isEqualTo("can_read_data");
            assertThat(told.getFirst().path("resource").asString()).isEqualTo("table:shop$" + name);
        }
    }

    /** All pages of a list, two items at a time, as a user sees them. */
    private static List<String> pages(String user, String path, String member, String name) {
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = catalog.as(user)
                    .get(path + "?limit=2&page_token=" + token)
                    .ok()
                    .json();
            page.path(member)
                    .forEach(item -> seen.add(
                            name.isEmpty() ? item.asString() : item.path(name).asString()));
            token = page.path("page_token").asString("");
        } while (!token.isEmpty());
        return seen;
    }

    @Test
    void pagesOfEveryListHaveNoGaps() {
        String outer = freshSpace();
        List<String> all = IntStream.range(10, 22).mapToObj(at -> "n" + at).toList();
        List<String> mine = all.stream()
                .filter(name -> List.of("n12", "n13", "n17", "n21").contains(name))
                .toList();
        String user = fresh("pager");
        for (String name : all) {
            olga.post(space("shop", outer, name) + "/create", "{}").ok();
            olga.post(path("shop", outer, name, "t") + "/declare", "{}").ok();
        }
        mine.forEach(name -> catalog.grant(user, "reader", table("shop", outer, name, "t")));
        assertThat(pages(user, space("shop", outer) + "/list", "namespaces", ""))
                .isEqualTo(mine);
        assertThat(pages(user, "/v1/table", "tables", ""))
                .isEqualTo(mine.stream()
                        .map(name -> "shop$" + outer + "$" + name + "$t")
                        .toList());
    }

    @Test
    void pagesOfListsOfWarehousesAndOfWhatIsBoundHaveNoGaps() {
        String user = fresh("pager");
        List<String> mine = new ArrayList<>();
        for (int at = 1; at <= 6; at++) {
            String name = fresh("paged");
            olga.post("/v1/warehouses", "{\"id\":\"" + name + "\",\"project\":\"acme\"}")
                    .ok();
            olga.post("/v1/warehouses/" + name + "/namespaces", "{\"namespace\":\"" + name + "\"}")
                    .ok();
            olga.post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"in-" + name + "\"}")
                    .ok();
            if (at % 3 == 0) {
                mine.add(name);
                catalog.grant(user, "reader", namespace(name));
                catalog.grant(user, "reader", namespace("in-" + name));
            }
        }
        List<String> inLake = mine.stream().map(name -> "in-" + name).sorted().toList();
        List<String> both = java.util.stream.Stream.concat(mine.stream(), inLake.stream())
                .sorted()
                .toList();
        List<String> warehouses = java.util.stream.Stream.concat(mine.stream(), java.util.stream.Stream.of("lake"))
                .sorted()
                .toList();
        assertThat(pages(user, "/v1/warehouses", "warehouses", "id")).isEqualTo(warehouses);
        assertThat(pages(user, "/v1/warehouses/lake/namespaces", "namespaces", ""))
                .isEqualTo(inLake);
        assertThat(pages(user, "/v1/warehouses/-/bindings", "bindings", "namespace"))
                .isEqualTo(both);
        assertThat(pages(user, "/v1/namespace/%24/list", "namespaces", "")).isEqualTo(both);
    }

    @Test
    void pagesOfListsOfViewsHaveNoGaps() {
        String inner = freshSpace();
        ViewedTables tables = new ViewedTables(olga, "shop$" + inner);
        tables.orders("orders", 1L, "tea", 2.5);
        String user = fresh("pager");
        for (String name : List.of("v1", "v2", "v3", "v4")) {
            tables.begin(name, "SELECT id FROM orders");
            await().atMost(Duration.ofMinutes(2))
                    .until(() ->
                            olga.post(tables.view(name) + "/describe", "{}").status() == 200);
        }
        for (String name : List.of("v2", "v4")) {
            catalog.grant(user, "reader", table("shop", inner, name));
        }
        assertThat(pages(user, space("shop", inner) + "/materialized_view/list", "views", ""))
                .containsExactly("v2", "v4");
    }
}
