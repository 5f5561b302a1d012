package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.GovernedCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Target;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.StopBehindTheDoor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Every route and everybody: what the doors declare is asked of a real engine for one user of each rung, and the answer is the one
 * that a table of rungs, written here once more, says. No request does anything: one that may pass ends behind the door.
 */
class AuthorizationMatrixTest {
    private static final String PASSED = StopBehindTheDoor.TEXT;
    private static final String MISSING = "no-such-thing";

    private static GovernedCatalog catalog;
    private static RunningServer server;

    /** What one user holds. The level is that of the object: estate 0, project and its roles 1, warehouse 2, namespace 3, table 4. */
    private record Rung(String user, int level, String name, AccessObject object) {}

    private static final List<Rung> RUNGS = List.of(
            new Rung("estate-admin", 0, "admin", AccessObject.ESTATE),
            new Rung("estate-operator", 0, "operator", AccessObject.ESTATE),
            new Rung("project-admin", 1, "admin", AccessObject.project("acme")),
            new Rung("project-member", 1, "member", AccessObject.project("acme")),
            new Rung("project-role-creator", 1, "role_creator", AccessObject.project("acme")),
            new Rung("lake-owner", 2, "owner", AccessObject.warehouse("lake")),
            new Rung("lake-writer", 2, "writer", AccessObject.warehouse("lake")),
            new Rung("lake-reader", 2, "reader", AccessObject.warehouse("lake")),
            new Rung("lake-maintainer", 2, "maintainer", AccessObject.warehouse("lake")),
            new Rung("space-owner", 3, "owner", namespace("shop")),
            new Rung("space-writer", 3, "writer", namespace("shop")),
            new Rung("space-reader", 3, "reader", namespace("shop")),
            new Rung("space-maintainer", 3, "maintainer", namespace("shop")),
            new Rung("space-publisher", 3, "publisher", namespace("shop")),
            new Rung("space-validator", 3, "validator", namespace("shop")),
            new Rung("table-owner", 4, "owner", table("shop", "there")),
            new Rung("table-writer", 4, "writer", table("shop", "there")),
            new Rung("table-reader", 4, "reader", table("shop", "there")),
            new Rung("table-maintainer", 4, "maintainer", table("shop", "there")),
            new Rung("table-publisher", 4, "publisher", table("shop", "there")),
            new Rung("stranger", 9, "nothing", AccessObject.ESTATE));

    private static final Set<Relation> READS =
            EnumSet.of(Relation.CAN_GET_METADATA, Relation.CAN_READ_DATA, Relation.CAN_READ, Relation.CAN_DESCRIBE);
    private static final Set<Relation> WRITES = EnumSet.of(
            Relation.CAN_WRITE_DATA,
            Relation.CAN_UPDATE_PROPERTIES,
            Relation.CAN_CREATE_NAMESPACE,
            Relation.CAN_CREATE_TABLE,
            Relation.CAN_CREATE_MATERIALIZED_VIEW,
            Relation.CAN_SET_STATUS,
            Relation.CAN_REFRESH);
    private static final Set<Relation> ADMINISTERS = EnumSet.of(Relation.CAN_ADMINISTER, Relation.CAN_CREATE_WAREHOUSE);

    private static final String GRANT = "{\"principal\":\"user:new\",\"rung\":\"reader\"}";
    private static final String CHECK = "{\"principal\":\"user:new\",\"action\":\"can_read_data\"}";

    /** What a route needs in its body to come as far as the question; the others need nothing. */
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("POST /v1/api-keys", "{\"name\":\"mine\"}"),
            Map.entry("POST /v1/projects", "{\"id\":\"acme\"}"),
            Map.entry("POST /v1/warehouses", "{\"id\":\"other\",\"project\":\"acme\"}"),
            Map.entry("POST /v1/warehouses/{id}/namespaces", "{\"namespace\":\"other\"}"),
            Map.entry("POST /v1/table/{id}/register", "{\"location\":\"somewhere\"}"),
            Map.entry("POST /v1/table/{id}/rename", "{\"new_table_name\":\"other\"}"),
            Map.entry("POST /v1/table/{id}/undrop", "{\"new_table_name\":\"other\"}"),
            Map.entry("POST /v1/table/{id}/restore", "{\"version\":1}"),
            Map.entry("POST /v1/table/{id}/version/create", "{\"version\":1,\"manifest_path\":\"x\"}"),
            Map.entry("POST /v1/table/{id}/version/describe", "{\"version\":1}"),
            Map.entry("POST /v1/table/{id}/version/delete", "{\"ranges\":[{\"start_version\":1,\"end_version\":2}]}"),
            Map.entry("POST /v1/table/{id}/update", "{\"updates\":[[\"id\",\"7\"]]}"),
            Map.entry("POST /v1/table/{id}/delete", "{\"predicate\":\"true\"}"),
            Map.entry("POST /v1/table/{id}/query", "{\"k\":1,\"vector\":{}}"),
            Map.entry("POST /v1/table/{id}/analyze_plan", "{\"k\":1,\"vector\":{}}"),
            Map.entry("POST /v1/table/{id}/explain_plan", "{\"query\":{\"k\":1,\"vector\":{}}}"),
            Map.entry("POST /v1/table/{id}/tags/version", "{\"tag\":\"gold\"}"),
            Map.entry("POST /v1/table/{id}/tags/create", "{\"tag\":\"new\",\"version\":1}"),
            Map.entry("POST /v1/table/{id}/tags/update", "{\"tag\":\"gold\",\"version\":1}"),
            Map.entry("POST /v1/table/{id}/tags/delete", "{\"tag\":\"gold\"}"),
            Map.entry("POST /v1/table/{id}/branches/create", "{\"name\":\"new\"}"),
            Map.entry("POST /v1/table/{id}/branches/delete", "{\"name\":\"dev\"}"),
            Map.entry(
                    "POST /v1/table/{id}/add_columns",
                    "{\"new_columns\":[{\"name\":\"twice\",\"expression\":\"id\"}]}"),
            Map.entry("POST /v1/table/{id}/alter_columns", "{\"alterations\":[{\"path\":\"id\",\"rename\":\"n\"}]}"),
            Map.entry("POST /v1/table/{id}/backfill_column", "{\"column\":\"later\"}"),
            Map.entry("POST /v1/table/{id}/drop_columns", "{\"columns\":[\"word\"]}"),
            Map.entry("POST /v1/table/{id}/schema_metadata/update", "{\"metadata\":{\"unit\":\"none\"}}"),
            Map.entry("POST /v1/table/{id}/create_index", "{\"column\":\"id\",\"index_type\":\"BTREE\"}"),
            Map.entry("POST /v1/table/{id}/create_scalar_index", "{\"column\":\"id\",\"index_type\":\"BITMAP\"}"),
            Map.entry(
                    "POST /v1/table/{id}/update_field_metadata",
                    "{\"updates\":[{\"path\":\"id\",\"metadata\":{\"unit\":\"none\"}}]}"),
            Map.entry("POST /v1/materialized_view/{id}/create", "{\"query\":\"SELECT 1\"}"),
            Map.entry(
                    "POST /v1/transaction/{id}/alter",
                    "{\"actions\":[{\"set_status_action\":{\"status\":\"CANCELED\"}}]}"),
            Map.entry("POST /v1/table/{id}/access/check", CHECK),
            Map.entry("POST /v1/table/{id}/access/grant", GRANT),
            Map.entry("POST /v1/table/{id}/access/revoke", GRANT),
            Map.entry("POST /v1/namespace/{id}/access/check", CHECK),
            Map.entry("POST /v1/namespace/{id}/access/grant", GRANT),
            Map.entry("POST /v1/namespace/{id}/access/revoke", GRANT),
            Map.entry("POST /v1/namespace/{id}/managed-access/set", "{\"managed\":true}"),
            Map.entry("POST /v1/warehouse/{id}/access/check", CHECK),
            Map.entry("POST /v1/warehouse/{id}/access/grant", GRANT),
            Map.entry("POST /v1/warehouse/{id}/access/revoke", GRANT),
            Map.entry("POST /v1/warehouse/{id}/managed-access/set", "{\"managed\":true}"),
            Map.entry(
                    "POST /v1/materialized_view/{id}/access/check",
                    "{\"principal\":\"user:new\",\"action\":\"can_read\"}"),
            Map.entry("POST /v1/materialized_view/{id}/access/grant", GRANT),
            Map.entry("POST /v1/materialized_view/{id}/access/revoke", GRANT),
            Map.entry("POST /v1/projects/{id}/roles", "{\"role\":\"other\"}"),
            Map.entry(
                    "PUT /v1/projects/{id}/roles/{role}/members", "{\"principal\":\"user:new\",\"rung\":\"assignee\"}"),
            Map.entry("PUT /v1/projects/{id}/members", "{\"principal\":\"user:new\",\"rung\":\"member\"}"),
            Map.entry("POST /v1/jobs/describe", "{\"job_id\":\"none\"}"),
            Map.entry("POST /v1/jobs/cancel", "{\"job_id\":\"none\"}"),
            Map.entry("POST /v1/jobs/query_events", "{\"job_id\":\"none\"}"),
            Map.entry(
                    "POST /v1/table/batch-commit",
                    "{\"operations\":[{\"deregister_table\":{\"id\":[\"shop\",\"there\"]}}]}"),
            Map.entry(
                    "POST /v1/table/version/batch-create",
                    "{\"entries\":[{\"id\":[\"shop\",\"there\"],\"version\":1,\"manifest_path\":\"x\"}]}"));

    private record Route(String method, String pattern, Door door) {
        String name() {
            return method + " " + pattern;
        }

        /** The path with the objects of the estate in it. */
        String path(String project, String warehouse, String namespace, String table) {
            String id = switch (pattern.split("/")[2]) {
                case "projects", "project" -> project;
                case "warehouses", "warehouse" -> warehouse;
                case "namespace" -> door.mints() ? RunningServer.id(namespace, "other") : namespace;
                case "transaction" -> RunningServer.id(namespace, table, "1");
                case "table" -> RunningServer.id(namespace, door.mints() ? "other" : table);
                case "materialized_view" ->
                    RunningServer.id(namespace, door.mints() ? "other" : table.equals("there") ? "seen" : table);
                default -> table;
            };
            return pattern.replace("{id}", id)
                    .replace("{namespace}", namespace)
                    .replace("{index_name}", "an_index")
                    .replaceAll("\\{\\w+}", "other");
        }
    }

    @BeforeAll
    static void start() {
        catalog = new GovernedCatalog(OpenFga.shared(), Map.of(), StopBehindTheDoor.class);
        server = catalog.server();
        catalog.makeNamespace("maker", "acme", "lake", "shop");
        catalog.as("maker")
                .post("/v1/table/" + RunningServer.id("shop", "there") + "/declare", "{}")
                .ok();
        makeView("shop");
        catalog.as("maker")
                .post("/v1/projects/acme/roles", "{\"role\":\"other\"}")
                .ok();
        RUNGS.stream()
                .filter(rung -> rung.level() <= 4)
                .forEach(rung -> catalog.grant(rung.user(), rung.name(), rung.object()));
    }

    /** A view is on its table. Here it is told apart by its row alone, and has the rights of the other table. */
    private static void makeView(String namespace) {
        catalog.as("maker")
                .post("/v1/table/" + RunningServer.id(namespace, "seen") + "/declare", "{}")
                .ok();
        server.bean(Manifests.class)
                .commit(
                        server.bean(Locator.class)
                                .locate(ObjectId.of(namespace))
                                .orElseThrow()
                                .root(),
                        view -> ManifestChange.Plan.put(view.table(namespace + "$seen")
                                .orElseThrow()
                                .withMetadata("{\"" + ViewKeys.KIND + "\":\"sql\"}")));
        catalog.engine()
                .write(
                        List.of(new Tuple(
                                "table:" + namespace + "$there", "parent", "materialized_view:" + namespace + "$seen")),
                        List.of());
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
    }

    private static List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        RequestMappingHandlerMapping mapping =
                server.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
        for (Map.Entry<RequestMappingInfo, HandlerMethod> each :
                mapping.getHandlerMethods().entrySet()) {
            Door door = each.getValue().getMethodAnnotation(Door.class);
            if (door != null) {
                for (String pattern : each.getKey().getPatternValues()) {
                    for (RequestMethod method :
                            each.getKey().getMethodsCondition().getMethods()) {
                        routes.add(new Route(method.name(), pattern, door));
                    }
                }
            }
        }
        return routes;
    }

    private static String body(Route route) {
        return route.pattern().endsWith("/protection")
                ? "{\"protected\":true}"
                : BODIES.getOrDefault(route.name(), "{}");
    }

    private static Answer send(Route route, String user, String path) {
        return send(route, catalog.as(user).asking(StopBehindTheDoor.HEADER, "yes"), path);
    }

    /** The same for a request that is done behind the door. */
    private static Answer finish(Route route, String user, String path) {
        return send(route, catalog.as(user), path);
    }

    private static Answer send(Route route, RunningServer asked, String path) {
        return switch (route.method()) {
            case "GET" -> asked.get(path);
            case "DELETE" -> asked.delete(path.endsWith("/members") ? path + "?principal=user:new&rung=member" : path);
            case "PUT" -> asked.put(path, body(route));
            default -> asked.post(path, body(route));
        };
    }

    /** Whether a rung may do something to an object of a level: 0 for the estate down to 4 for a table. */
    private static boolean may(Rung rung, Relation relation, int level) {
        if (rung.level() == 0) {
            boolean admin = rung.name().equals("admin");
            return (level == 0 && (relation == Relation.CAN_CREATE_PROJECT || admin))
                    || (level == 1 && admin && relation == Relation.CAN_OBSERVE_EVENTS);
        }
        if (level == 0 || rung.level() > 4) {
            return false;
        }
        if (rung.level() > level) {
            // The way to what somebody was given can be seen.
            return level >= 2 && relation == Relation.CAN_GET_METADATA;
        }
        return switch (rung.name()) {
            case "admin" -> true;
            case "role_creator" ->
                READS.contains(relation)
                        || relation == Relation.CAN_OBSERVE_EVENTS
                        || relation == Relation.CAN_CREATE_ROLE;
            case "member" -> READS.contains(relation) || relation == Relation.CAN_OBSERVE_EVENTS;
            case "owner" -> !ADMINISTERS.contains(relation) && relation != Relation.CAN_SET_MANAGED_ACCESS;
            case "writer" -> READS.contains(relation) || WRITES.contains(relation);
            case "reader" -> READS.contains(relation);
            case "maintainer" ->
                relation == Relation.CAN_MAINTAIN || relation == Relation.CAN_REFRESH || relation == Relation.CAN_READ;
            case "publisher" -> relation == Relation.CAN_CREATE_TAG || relation == Relation.CAN_UPDATE_TAG;
            case "validator" -> relation == Relation.CAN_PROMOTE;
            default -> throw new IllegalStateException(rung.name());
        };
    }

    private static int level(Target kind) {
        return switch (kind) {
            case NONE, ESTATE -> 0;
            case PROJECT, ROLE -> 1;
            case WAREHOUSE -> 2;
            case NAMESPACE -> 3;
            case TABLE, MATERIALIZED_VIEW, TRANSACTION -> 4;
        };
    }

    private static boolean expected(Route route, Rung rung) {
        Door door = route.door();
        if (door.target() == Target.ROLE && rung.name().equals("role_creator")) {
            return true;
        }
        boolean destination = door.onDestination().length == 0 || may(rung, Relation.CAN_CREATE_TABLE, 3);
        return switch (door.asks()) {
            case NOTHING, EACH_ITEM -> true;
            case GRANT -> may(rung, Relation.CAN_REVOKE_GRANT, level(door.target()));
            case JOB -> may(rung, Relation.CAN_OBSERVE_EVENTS, 0) && rung.level() == 0;
            case BATCH ->
                may(
                        rung,
                        route.pattern().endsWith("batch-commit") ? Relation.CAN_DEREGISTER : Relation.CAN_WRITE_DATA,
                        4);
            case TARGET -> {
                boolean estate = door.relation() == Relation.CAN_CREATE_PROJECT;
                int level = estate ? 0 : level(door.askedOnParent() ? door.parent() : door.target());
                yield may(rung, door.relation(), level) && destination;
            }
        };
    }

    @Test
    void everyRouteLetsInExactlyTheRungsItsDoorNames() {
        List<String> wrong = new ArrayList<>();
        int asked = 0;
        for (Route route : routes()) {
            String path = route.path("acme", "lake", "shop", "there");
            for (Rung rung : RUNGS) {
                Answer answer = send(route, rung.user(), path);
                asked++;
                boolean passed = answer.text().contains(PASSED);
                boolean denied = answer.code() == 15 || (route.door().destructive() && answer.status() == 404);
                if (passed != expected(route, rung) || passed == denied) {
                    wrong.add(route.name() + " as " + rung.user() + ": " + answer.status() + " " + answer.text());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(1000);
    }

    @Test
    void whatIsNotThereIsToldOnlyToWhoMayReadWhatItWouldLieIn() {
        List<String> wrong = new ArrayList<>();
        for (Route route : routes()) {
            Door door = route.door();
            if (door.mints() || door.asks() != Asked.TARGET || door.askedOnParent()) {
                continue;
            }
            Integer told = switch (door.target()) {
                case TABLE, MATERIALIZED_VIEW, TRANSACTION -> 3;
                default -> null;
            };
            String path = route.path(MISSING, MISSING, door.target() == Target.NAMESPACE ? MISSING : "shop", MISSING);
            for (Rung rung : RUNGS) {
                Answer answer = send(route, rung.user(), path);
                boolean knows = door.destructive()
                        || (told != null && may(rung, Relation.CAN_READ_DATA, told))
                        || (door.target() == Target.PROJECT && may(rung, Relation.CAN_OBSERVE_EVENTS, 0));
                boolean open = door.target() == Target.ESTATE;
                if (!open && (answer.text().contains(PASSED) || answer.status() != (knows ? 404 : 403))) {
                    wrong.add(route.name() + " as " + rung.user() + ": " + answer.status() + " " + answer.text());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Its own warehouse, because the others are asked about in it. */
    @Test
    void everyRouteBelowADeactivatedWarehouseIsRefusedToItsOwner() {
        catalog.makeNamespace("maker", "acme-two", "shut", "closed");
        RunningServer maker = catalog.as("maker");
        maker.post("/v1/table/" + RunningServer.id("closed", "there") + "/declare", "{}")
                .ok();
        makeView("closed");
        maker.post("/v1/warehouses/shut/deactivate", "").ok();
        List<String> wrong = new ArrayList<>();
        int asked = 0;
        for (Route route : routes()) {
            Set<Target> below = EnumSet.of(Target.NAMESPACE, Target.TABLE, Target.MATERIALIZED_VIEW);
            if (!below.contains(route.door().target()) || route.pattern().startsWith("/v1/warehouses/")) {
                continue;
            }
            String path = route.path("acme-two", "shut", "closed", "there");
            Answer answer = finish(route, "maker", path.endsWith("/merge_insert") ? path + "?on=id" : path);
            asked++;
            if (answer.status() != 403 || answer.code() != 15 || !answer.text().contains("deactivated")) {
                wrong.add(route.name() + ": " + answer.status() + " " + answer.text());
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(60);
    }
}
