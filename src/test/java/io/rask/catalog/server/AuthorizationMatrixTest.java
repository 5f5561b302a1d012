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
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import io.rask.catalog.testing.StopBehindTheDoor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
            new Rung("estate-owner", 0, "owner", AccessObject.ESTATE),
            new Rung("estate-writer", 0, "writer", AccessObject.ESTATE),
            new Rung("estate-reader", 0, "reader", AccessObject.ESTATE),
            new Rung("project-admin", 1, "admin", AccessObject.project("acme")),
            new Rung("project-member", 1, "member", AccessObject.project("acme")),
            new Rung("project-security", 1, "security_admin", AccessObject.project("acme")),
            new Rung("project-data", 1, "data_admin", AccessObject.project("acme")),
            new Rung("project-roles", 1, "role_creator", AccessObject.project("acme")),
            new Rung("lake-owner", 2, "owner", AccessObject.warehouse("lake")),
            new Rung("lake-writer", 2, "writer", AccessObject.warehouse("lake")),
            new Rung("lake-reader", 2, "reader", AccessObject.warehouse("lake")),
            new Rung("lake-maintainer", 2, "maintainer", AccessObject.warehouse("lake")),
            new Rung("lake-manager", 2, "manage_grants", AccessObject.warehouse("lake")),
            new Rung("space-owner", 3, "owner", namespace("shop")),
            new Rung("space-writer", 3, "writer", namespace("shop")),
            new Rung("space-reader", 3, "reader", namespace("shop")),
            new Rung("space-maintainer", 3, "maintainer", namespace("shop")),
            new Rung("space-publisher", 3, "publisher", namespace("shop")),
            new Rung("space-validator", 3, "validator", namespace("shop")),
            new Rung("space-classifier", 3, "classifier", namespace("shop")),
            new Rung("space-passer", 3, "pass_grants", namespace("shop")),
            new Rung("table-owner", 4, "owner", table("shop", "there")),
            new Rung("table-writer", 4, "writer", table("shop", "there")),
            new Rung("table-reader", 4, "reader", table("shop", "there")),
            new Rung("table-maintainer", 4, "maintainer", table("shop", "there")),
            new Rung("table-publisher", 4, "publisher", table("shop", "there")),
            new Rung("table-manager", 4, "manage_grants", table("shop", "there")),
            new Rung("stranger", 9, "nothing", AccessObject.ESTATE));

    /** Those who are asked about what would lie deeper: everybody again would cost much and tell little. */
    private static final Set<String> NESTED =
            Set.of("project-admin", "lake-reader", "space-reader", "space-maintainer", "table-owner", "stranger");

    private static final Set<String> MAKE_ROLES = Set.of("role_creator", "security_admin");
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

    private static final Set<Relation> MANAGES =
            EnumSet.of(Relation.CAN_REVOKE_GRANT, Relation.CAN_READ_ASSIGNMENTS, Relation.CAN_SET_MANAGED_ACCESS);

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

    record Route(String method, String pattern, Door door) {
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
        catalog.as("maker")
                .post("/v1/namespace/" + RunningServer.id("shop", "inner") + "/create", "{}")
                .ok();
        makeView("shop");
        catalog.as("maker")
                .post("/v1/projects/acme/roles", "{\"role\":\"other\"}")
                .ok();
        // Somebody who has rights, and none on what is asked for.
        catalog.makeNamespace("elsewhere", "theirs", "their-lake", "their-shop");
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
        return routes(server);
    }

    /** Every route of a server that has a door. */
    static List<Route> routes(RunningServer server) {
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
        return send(server.asking(HeaderIdentification.USER, user), route, path);
    }

    /** Asks with what the route needs to come as far as the question, and to end behind the door. */
    static Answer send(RunningServer caller, Route route, String path) {
        return finish(caller.asking(StopBehindTheDoor.HEADER, "yes"), route, path);
    }

    /** The same for a request that is done behind the door. */
    private static Answer finish(RunningServer asked, Route route, String path) {
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
            boolean observes = relation == Relation.CAN_OBSERVE_EVENTS && level <= 1;
            return switch (rung.name()) {
                case "admin" -> level == 0 || observes;
                case "operator" -> level == 0 && relation == Relation.CAN_CREATE_PROJECT;
                case "owner" -> observes;
                default -> false;
            };
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
            case "role_creator", "security_admin" ->
                READS.contains(relation)
                        || relation == Relation.CAN_OBSERVE_EVENTS
                        || relation == Relation.CAN_CREATE_ROLE;
            case "member", "data_admin" -> READS.contains(relation) || relation == Relation.CAN_OBSERVE_EVENTS;
            case "owner" -> !ADMINISTERS.contains(relation) && relation != Relation.CAN_SET_MANAGED_ACCESS;
            case "writer" -> READS.contains(relation) || WRITES.contains(relation);
            case "reader" -> READS.contains(relation);
            case "maintainer" ->
                relation == Relation.CAN_MAINTAIN || relation == Relation.CAN_REFRESH || relation == Relation.CAN_READ;
            case "publisher" -> relation == Relation.CAN_CREATE_TAG || relation == Relation.CAN_UPDATE_TAG;
            case "validator" -> relation == Relation.CAN_PROMOTE;
            case "classifier" -> relation == Relation.CAN_CLASSIFY;
            case "manage_grants" -> MANAGES.contains(relation);
            // It adds to what else one holds, and is nothing alone.
            case "pass_grants" -> false;
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
        if (door.target() == Target.ROLE && MAKE_ROLES.contains(rung.name())) {
            return true;
        }
        boolean destination = door.onDestination().length == 0 || may(rung, Relation.CAN_CREATE_TABLE, 3);
        return switch (door.asks()) {
            case NOTHING, EACH_ITEM -> true;
            case GRANT -> may(rung, Relation.CAN_REVOKE_GRANT, level(door.target()));
            // There is no such job, and of jobs that are about nothing the estate's administrators and owners learn.
            case JOB ->
                may(
                        rung,
                        door.relation() == Relation.CAN_MAINTAIN
                                ? Relation.CAN_ADMINISTER
                                : Relation.CAN_OBSERVE_EVENTS,
                        0);
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

    /** What a request names, and what it would name if that were not there. */
    private record Pair(
            String what, String project, String warehouse, String namespace, String table, String database) {
        Pair(String what, String namespace, String table) {
            this(what, "acme", "lake", namespace, table, "");
        }

        String plain(String text) {
            String plain = text;
            for (String name : List.of(MISSING, "acme", "lake", "shop", "there", "seen")) {
                plain = plain.replace(name, "*");
            }
            return plain.replaceAll("\"request_id\":\"[^\"]*\"", "");
        }
    }

    private static String inPlaceOf(String text, Pair pair) {
        return text.replace("\"shop\"", "\"" + pair.namespace() + "\"")
                .replace("\"there\"", "\"" + pair.table() + "\"");
    }

    private static String told(Route route, RunningServer user, Pair pair, String job) {
        String path = route.path(pair.project(), pair.warehouse(), pair.namespace(), pair.table());
        RunningServer asked = user.asking(StopBehindTheDoor.HEADER, "yes");
        if (!pair.database().isEmpty()) {
            asked = asked.asking("x-lancedb-database", pair.database());
            path = path.replace(pair.namespace() + "%24", "").replace("/namespace/" + pair.namespace(), "/namespace/$");
        }
        String body = inPlaceOf(body(route), pair).replace("\"job_id\":\"none\"", "\"job_id\":\"" + job + "\"");
        Answer answer = switch (route.method()) {
            case "GET" -> asked.get(path);
            case "DELETE" -> asked.delete(path.endsWith("/members") ? path + "?principal=user:new&rung=member" : path);
            case "PUT" -> asked.put(path, body);
            default -> asked.post(path, body);
        };
        return answer.status() + " " + pair.plain(answer.text());
    }

    /** Doors where something is made may teach that what it is to be made in is not there; all others keep it to themselves. */
    private static boolean teaches(Route route, Pair absent) {
        boolean inNamespace =
                route.door().parent() == Target.NAMESPACE || route.door().onDestination().length > 0;
        return (inNamespace && absent.namespace().equals(MISSING))
                || (route.door().parent() == Target.PROJECT && absent.project().equals(MISSING))
                || (route.door().mints() && absent.warehouse().equals(MISSING))
                || route.door().target() == Target.ESTATE;
    }

    /** A job that waits for a day, so that nobody does it. */
    private static String job() {
        return server.bean(JobRegistry.class)
                .submit(new JobSpec(
                        "compact_table", "shop$there", null, new Nothing("nothing"), java.time.Duration.ofDays(1)))
                .id();
    }

    private record Nothing(String at) {}

    @Test
    void theForbiddenAndTheAbsentAreAnsweredAlike() {
        List<Pair> absent = List.of(
                new Pair("a table beside the forbidden one", "shop", MISSING),
                new Pair("a table of an absent namespace", MISSING, MISSING),
                new Pair("a namespace", MISSING, "there"),
                new Pair("a project", MISSING, "lake", "shop", "there", ""),
                new Pair("a warehouse", "acme", MISSING, "shop", "there", ""),
                new Pair("a table in the database", "acme", "lake", "shop", MISSING, "shop"),
                new Pair("a database", "acme", "lake", MISSING, "there", MISSING));
        String job = job();
        RunningServer user = catalog.as("elsewhere");
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (Route route : routes()) {
            Map<String, String> forbidden = new HashMap<>();
            for (Pair pair : absent) {
                String expected = forbidden.computeIfAbsent(
                        pair.database().isEmpty() ? "" : "shop",
                        database -> told(route, user, new Pair("", "acme", "lake", "shop", "there", database), job));
                String missing = told(route, user, pair, "none");
                compared++;
                if (!expected.equals(missing) && !teaches(route, pair)) {
                    wrong.add(route.name() + ", " + pair.what() + ":\n  " + expected + "\n  " + missing);
                }
            }
        }
        assertThat(String.join("\n", wrong)).isEmpty();
        assertThat(compared).isGreaterThan(500);
    }

    @Test
    void whatIsNotThereIsToldOnlyToWhoMayReadWhatItWouldLieIn() {
        List<String> wrong = new ArrayList<>();
        for (Route route : routes()) {
            Door door = route.door();
            if (door.mints() || door.asks() != Asked.TARGET || door.askedOnParent() || door.target() == Target.ESTATE) {
                continue;
            }
            Integer told = switch (door.target()) {
                case TABLE, MATERIALIZED_VIEW, TRANSACTION -> 3;
                default -> null;
            };
            String space = door.target() == Target.NAMESPACE ? MISSING : "shop";
            String path = route.path(MISSING, MISSING, space, MISSING);
            RUNGS.forEach(rung -> wrong.addAll(tellsAbsence(route, rung, path, told)));
            if (told != null || door.target() == Target.NAMESPACE) {
                String inner = told == null ? "shop$" + MISSING : "shop$inner";
                String nested = route.path(MISSING, MISSING, inner, MISSING);
                RUNGS.stream()
                        .filter(rung -> NESTED.contains(rung.user()))
                        .forEach(rung -> wrong.addAll(tellsAbsence(route, rung, nested, 3)));
            }
        }
        assertThat(wrong).isEmpty();
    }

    /**
     * What is wrong with the answer of a route about something that is not there.
     *
     * @param told the level of what it would lie in, whose readers learn of it; null where none do
     */
    private static List<String> tellsAbsence(Route route, Rung rung, String path, @Nullable Integer told) {
        Answer answer = send(route, rung.user(), path);
        boolean knows = route.door().destructive()
                || (told != null && may(rung, Relation.CAN_READ_DATA, told))
                || (route.door().target() == Target.PROJECT && may(rung, Relation.CAN_OBSERVE_EVENTS, 0));
        return answer.text().contains(PASSED) || answer.status() != (knows ? 404 : 403)
                ? List.of(route.method() + " " + path + " as " + rung.user() + ": " + answer.text())
                : List.of();
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
            Answer answer = finish(catalog.as("maker"), route, path.endsWith("/merge_insert") ? path + "?on=id" : path);
            asked++;
            if (answer.status() != 403 || answer.code() != 15 || !answer.text().contains("deactivated")) {
                wrong.add(route.name() + ": " + answer.status() + " " + answer.text());
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(60);
    }
}
