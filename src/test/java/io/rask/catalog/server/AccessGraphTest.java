package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How rights come to be on objects, and the rights on views, which have a level more than tables. */
class AccessGraphTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static CountingProxy proxy;
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        proxy = new CountingProxy(OpenFga.shared().uri());
        catalog = new GovernedCatalog(
                OpenFga.shared(), Map.of("lance.fga.api-url", proxy.uri().toString()));
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        RunningServer olga = catalog.as("olga");
        for (String role : List.of("inner", "outer")) {
            olga.post("/v1/projects/acme/roles", "{\"role\":\"" + role + "\"}").ok();
        }
        olga.put("/v1/projects/acme/roles/inner/members", giving("user:ann", "assignee"))
                .ok();
        olga.put("/v1/projects/acme/roles/inner/members", giving("team:ops", "assignee"))
                .ok();
        olga.put("/v1/projects/acme/roles/outer/members", giving("role:acme/inner", "assignee"))
                .ok();
        olga.post(
                        "/v1/namespace/shop/access/grant",
                        "{\"principal\":\"role:acme/outer\",\"rung\":\"reader\",\"expires_in_seconds\":86400}")
                .ok();
        catalog.engine().write(List.of(new Tuple("user:otto", "member", "team:ops")), List.of());
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
        if (proxy != null) {
            proxy.close();
        }
    }

    private static String giving(String principal, String rung) {
        return "{\"principal\":\"" + principal + "\",\"rung\":\"" + rung + "\"}";
    }

    /** A table in the shop with an owner of its own. */
    private static String newTable(String owner) {
        String name = "table-" + NAMES.incrementAndGet();
        catalog.as("olga").post(path(name) + "/declare", "{}").ok();
        catalog.grant(owner, "owner", table("shop", name));
        return name;
    }

    private static String path(String table) {
        return "/v1/table/" + RunningServer.id("shop", table);
    }

    private static JsonNode graph(String caller, String path, String principal) {
        return catalog.as(caller)
                .post(path + "/access/graph", principal.isEmpty() ? "{}" : "{\"principal\":\"" + principal + "\"}")
                .ok()
                .json();
    }

    private static Set<String> edges(JsonNode graph) {
        Set<String> edges = new HashSet<>();
        graph.path("edges")
                .forEach(edge -> edges.add(edge.path("from").asString() + " "
                        + edge.path("relation").asString() + " "
                        + edge.path("to").asString()));
        return edges;
    }

    private static List<String> hidden(JsonNode graph) {
        List<String> hidden = new ArrayList<>();
        graph.path("nodes").forEach(node -> {
            if (node.path("grants_hidden").asBoolean(false)) {
                hidden.add(node.path("id").asString());
            }
        });
        return hidden;
    }

    @Test
    void aGraphTellsEveryWayThatRightsCome() {
        String table = newTable("tilda");
        JsonNode graph = graph("olga", path(table), "");
        assertThat(edges(graph))
                .contains(
                        "namespace:shop parent table:shop$" + table,
                        "warehouse:lake parent namespace:shop",
                        "project:acme parent warehouse:lake",
                        "user:olga owner table:shop$" + table,
                        "user:tilda owner table:shop$" + table,
                        "role:acme/outer reader namespace:shop",
                        "role:acme/inner assignee role:acme/outer",
                        "user:ann assignee role:acme/inner",
                        "team:ops assignee role:acme/inner",
                        "user:otto member team:ops",
                        "user:olga admin project:acme")
                .noneMatch(edge -> edge.contains("navigator"));
        assertThat(hidden(graph)).isEmpty();
        assertThat(graph.path("truncated").asBoolean(true)).isFalse();
        assertThat(graph.path("edges").findValuesAsString("expires_at")).hasSize(1);
    }

    @Test
    void aGraphOfOnePrincipalHoldsHisPathsAlone() {
        String table = newTable("tilda");
        assertThat(edges(graph("olga", path(table), "user:otto")))
                .containsExactlyInAnyOrder(
                        "user:otto member team:ops",
                        "team:ops assignee role:acme/inner",
                        "role:acme/inner assignee role:acme/outer",
                        "role:acme/outer reader namespace:shop",
                        "namespace:shop parent table:shop$" + table);
        JsonNode nobody = graph("olga", path(table), "user:nobody");
        assertThat(edges(nobody)).isEmpty();
        assertThat(nobody.path("nodes").findValuesAsString("id")).containsExactly("table:shop$" + table);
        refused(catalog.as("olga").post(path(table) + "/access/graph", "{\"principal\":\"x\"}"), 400, 13);
    }

    @Test
    void whatTheCallerMayNotKnowIsLeftOutAndTheLevelSaysSo() {
        String table = newTable("tilda");
        catalog.server();
        proxy.reset();
        JsonNode graph = graph("tilda", path(table), "");
        assertThat(proxy.paths().stream().filter(path -> path.endsWith("/batch-check")))
                .as("the door's question, and one for all levels")
                .hasSizeLessThanOrEqualTo(2);
        assertThat(hidden(graph)).containsExactlyInAnyOrder("namespace:shop", "warehouse:lake", "project:acme");
        assertThat(edges(graph))
                .contains("user:tilda owner table:shop$" + table)
                .noneMatch(edge -> edge.contains("role:"));
        JsonNode ofAnn = graph("tilda", path(table), "user:ann");
        assertThat(hidden(ofAnn)).hasSize(3);
        assertThat(edges(ofAnn))
                .contains("namespace:shop parent table:shop$" + table)
                .hasSize(3);
    }

    @Test
    void everyKindOfObjectHasAGraph() {
        assertThat(edges(graph("olga", "/v1/namespace/shop", "")))
                .contains("role:acme/outer reader namespace:shop", "project:acme parent warehouse:lake");
        assertThat(edges(graph("olga", "/v1/warehouse/lake", "")))
                .contains("user:olga owner warehouse:lake", "project:acme parent warehouse:lake");
        assertThat(edges(graph("olga", "/v1/projects/acme", ""))).contains("user:olga admin project:acme");
        refused(catalog.as("ann").post("/v1/namespace/shop/access/graph", "{}"), 403, 15);
        refused(catalog.as("olga").post(path("absent") + "/access/graph", "{}"), 404, 4);
    }

    @Test
    void agraphThatIsTooLargeEndsEarlyAndSaysSo() {
        String table = newTable("tilda");
        String name = ObjectNames.of(table("shop", table));
        List<Tuple> many = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            many.add(new Tuple("team:many-" + i + "#member", "reader", name));
        }
        for (int i = 0; i < 2100; i++) {
            many.add(new Tuple("user:many-" + i, "reader", name));
        }
        catalog.engine().write(many, List.of());
        proxy.reset();
        JsonNode graph = graph("olga", path(table), "");
        assertThat(proxy.paths().stream().filter(asked -> asked.endsWith("/read")))
                .as("teams are not looked into when there is no room for who is in them")
                .hasSizeLessThan(50);
        assertThat(graph.path("truncated").asBoolean(false)).isTrue();
        assertThat(graph.path("edges").size()).isLessThanOrEqualTo(2000);
    }

    private static String newView() {
        String name = "view-" + NAMES.incrementAndGet();
        ViewedTables tables = new ViewedTables(catalog.as("olga"), "shop");
        String source = "source-" + NAMES.incrementAndGet();
        tables.orders(source, 1L, "pen", 1.5);
        assertThat(tables.create(
                                name,
                                "SELECT id FROM \"" + source + "\"",
                                true,
                                Field.nullable("id", io.rask.catalog.testing.ArrowStreams.INT64))
                        .status())
                .isEqualTo(201);
        return name;
    }

    @Test
    void whatIsGivenOnAViewIsOnItAlone() {
        String name = newView();
        String view = "/v1/materialized_view/" + RunningServer.id("shop", name);
        RunningServer olga = catalog.as("olga");
        for (String rung : List.of("owner", "refresher", "reader")) {
            olga.post(view + "/access/grant", giving("user:" + rung + "-of-view", rung))
                    .ok();
        }
        for (String rung : List.of("writer", "maintainer", "pass_grants", "member", "assignee")) {
            refused(olga.post(view + "/access/grant", giving("user:x", rung)), 400, 13);
        }
        RunningServer reader = catalog.as("reader-of-view");
        reader.post(view + "/describe", "{}").ok();
        assertThat(reader.post("/v1/namespace/shop/describe", "{}").status()).isEqualTo(200);
        assertThat(reader.post(path(name) + "/count_rows", "{}").code()).isEqualTo(15);
        assertThat(reader.post(view + "/refresh", "{}").code()).isEqualTo(15);
        refused(reader.post(view + "/access/grant", giving("user:x", "reader")), 403, 15);
        assertThat(catalog.as("refresher-of-view")
                        .post(view + "/access/my-permissions", "{}")
                        .ok()
                        .text())
                .contains("can_read", "can_refresh")
                .doesNotContain("can_drop");
        assertThat(olga.post(view + "/access/check", "{\"principal\":\"user:owner-of-view\",\"action\":\"can_drop\"}")
                        .ok()
                        .json()
                        .path("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(olga.post(view + "/access/list", "{}").ok().text())
                .contains(giving("user:reader-of-view", "reader"));
        assertThat(edges(graph("olga", view, "user:reader-of-view")))
                .containsExactly("user:reader-of-view reader materialized_view:shop$" + name);
        assertThat(edges(graph("olga", view, "user:ann")))
                .contains("table:shop$" + name + " parent materialized_view:shop$" + name);
        olga.post(view + "/access/revoke", giving("user:reader-of-view", "reader"))
                .ok();
        assertThat(reader.post(view + "/describe", "{}").code()).isEqualTo(15);
        assertThat(reader.post("/v1/namespace/shop/describe", "{}").code()).isEqualTo(15);
        // With the view goes all that was given on it, and the ways to it.
        olga.post(path(name) + "/drop", "{}").ok();
        AccessObject object = AccessObject.view(ObjectId.of("shop", name));
        assertThat(catalog.engine().of(ObjectNames.of(object))).isEmpty();
        assertThat(catalog.engine().all("user:refresher-of-view", null, "warehouse:"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "check", "graph", "grant", "revoke", "my-permissions"})
    void aTableThatIsNoViewHasNoRightsOfOne(String door) {
        String table = newTable("tilda");
        String body = switch (door) {
            case "check" -> "{\"principal\":\"user:x\",\"action\":\"can_read\"}";
            case "grant", "revoke" -> giving("user:x", "reader");
            default -> "{}";
        };
        String view = "/v1/materialized_view/" + RunningServer.id("shop", table) + "/access/" + door;
        // As a fact that was left behind would let the caller in.
        catalog.engine()
                .write(
                        List.of(new Tuple("table:shop$" + table, "parent", "materialized_view:shop$" + table)),
                        List.of());
        refused(catalog.as("olga").post(view, body), 404, 4);
        refused(catalog.as("olga").post(view.replace(table, "absent"), body), 404, 4);
    }
}
