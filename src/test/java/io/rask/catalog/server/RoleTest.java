package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Roles of projects, on a real permission engine. */
class RoleTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int DEEPEST = 5;
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        catalog = new GovernedCatalog(OpenFga.shared(), Map.of());
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        catalog.makeNamespace("olga", "rival", "pond", "stall");
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
    }

    private static String fresh(String kind) {
        return kind + "-" + NAMES.incrementAndGet();
    }

    private static String roles(String project) {
        return "/v1/projects/" + project + "/roles";
    }

    private static String members(String role) {
        return roles("acme") + "/" + role + "/members";
    }

    private static String newRole(String... assignees) {
        String role = fresh("role");
        catalog.as("olga").post(roles("acme"), "{\"role\":\"" + role + "\"}").ok();
        for (String assignee : assignees) {
            catalog.as("olga").put(members(role), giving(assignee, "assignee")).ok();
        }
        return role;
    }

    private static String giving(String principal, String rung) {
        return "{\"principal\":\"" + principal + "\",\"rung\":\"" + rung + "\"}";
    }

    private static String newTable(String namespace) {
        String name = fresh("table");
        catalog.as("olga").post(path(namespace, name) + "/declare", "{}").ok();
        return name;
    }

    private static String path(String... table) {
        return "/v1/table/" + RunningServer.id(table);
    }

    private static Answer grant(String caller, String table, String principal, String rung) {
        return catalog.as(caller).post(path("shop", table) + "/access/grant", giving(principal, rung));
    }

    private static boolean reads(String user, String table) {
        return catalog.as(user).post(path("shop", table) + "/exists", "{}").status() == 200;
    }

    private static List<Tuple> givenTo(String role) {
        List<Tuple> given = new ArrayList<>();
        for (String type : List.of("project:", "role:", "warehouse:", "namespace:", "table:")) {
            given.addAll(catalog.engine().all("role:acme/" + role + "#assignee", null, type));
        }
        return given;
    }

    @Test
    void whoIsInARoleHasWhatItWasGiven() {
        String role = newRole("user:ann");
        String table = newTable("shop");
        assertThat(reads("ann", table)).isFalse();
        grant("olga", table, "role:acme/" + role, "reader").ok();
        assertThat(reads("ann", table)).isTrue();
        assertThat(catalog.as("ann").post("/v1/namespace/shop/describe", "{}").status())
                .isEqualTo(200);
        assertThat(catalog.as("olga")
                        .post(path("shop", table) + "/access/list", "{}")
                        .ok()
                        .text())
                .contains(giving("role:acme/" + role, "reader"));
        catalog.as("olga")
                .delete(members(role) + "?principal=user:ann&rung=assignee")
                .ok();
        assertThat(reads("ann", table)).isFalse();
        assertThat(catalog.as("ann").post("/v1/namespace/shop/describe", "{}").code())
                .isEqualTo(15);
    }

    @Test
    void teamsAndRolesInARoleAreInIt() {
        String inner = newRole("user:ivy");
        String outer = newRole("team:ops", "role:acme/" + inner);
        String table = newTable("shop");
        grant("olga", table, "role:acme/" + outer, "reader").ok();
        assertThat(reads("ivy", table)).isTrue();
        assertThat(catalog.as("tom")
                        .asking(HeaderIdentification.TEAMS, "ops")
                        .post(path("shop", table) + "/exists", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(catalog.as("olga").get(members(outer)).ok().text())
                .isEqualTo("{\"grants\":[" + giving("role:acme/" + inner, "assignee") + ","
                        + giving("team:ops", "assignee") + "]}");
    }

    @Test
    void aRoleIsMadeOnceIsListedInPagesAndEnds() {
        String project = fresh("project");
        catalog.as(GovernedCatalog.ADMIN)
                .post("/v1/projects", "{\"id\":\"" + project + "\"}")
                .ok();
        RunningServer admin = catalog.as(GovernedCatalog.ADMIN);
        Answer made = admin.post(roles(project), "{\"role\":\"b\"}").ok();
        assertThat(made.json().path("principal").asString()).isEqualTo("role:" + project + "/b");
        assertThat(made.json().path("created_by").asString()).isEqualTo(GovernedCatalog.ADMIN);
        admin.put(roles(project) + "/b/members", giving("user:x", "assignee")).ok();
        assertThat(admin.post(roles(project), "{\"role\":\"b\"}").ok().text()).isEqualTo(made.text());
        assertThat(admin.get(roles(project) + "/b/members").ok().text()).contains("user:x");
        admin.post(roles(project), "{\"role\":\"a\"}").ok();
        admin.post(roles(project), "{\"role\":\"c\"}").ok();
        Answer first = admin.get(roles(project) + "?limit=2").ok();
        assertThat(first.json().path("roles").findValuesAsString("role")).containsExactly("a", "b");
        Answer second = admin.get(roles(project) + "?limit=2&page_token="
                        + first.json().path("page_token").asString())
                .ok();
        assertThat(second.json().path("roles").findValuesAsString("role")).containsExactly("c");
        assertThat(second.json().has("page_token")).isFalse();
        assertThat(admin.delete(roles(project) + "/b?dry_run=true").ok().text()).contains(project + "/b");
        assertThat(admin.delete(roles(project) + "/b")
                        .ok()
                        .json()
                        .path("tuples_revoked")
                        .asInt())
                .isEqualTo(2);
        refused(admin.delete(roles(project) + "/b"), 404, 4);
        refused(admin.get(roles(project) + "/b/members"), 404, 4);
        assertThat(admin.get(roles(project)).ok().json().path("roles").findValuesAsString("role"))
                .containsExactly("a", "c");
        admin.delete("/v1/projects/" + project).ok();
        assertThat(catalog.engine().of("role:" + project + "/a")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "A", "a b", "a/b", "ä", "a.b"})
    void aNameThatNoRoleCanHaveIsRefused(String name) {
        refused(catalog.as("olga").post(roles("acme"), "{\"role\":\"" + name + "\"}"), 400, 13);
    }

    @Test
    void aRoleThatEndsTakesAlongAllThatItWasGiven() {
        String role = newRole("user:eve");
        String outer = newRole("role:acme/" + role);
        String table = newTable("shop");
        grant("olga", table, "role:acme/" + role, "writer").ok();
        catalog.as("olga")
                .post("/v1/warehouse/lake/access/grant", giving("role:acme/" + role, "reader"))
                .ok();
        catalog.as("olga")
                .put("/v1/projects/acme/members", giving("role:acme/" + role, "member"))
                .ok();
        assertThat(givenTo(role)).hasSizeGreaterThan(4);
        catalog.as("olga").delete(roles("acme") + "/" + role).ok();
        assertThat(givenTo(role)).isEmpty();
        assertThat(catalog.engine().of("role:acme/" + role)).isEmpty();
        assertThat(reads("eve", table)).isFalse();
        // One of the same name is another role.
        catalog.as("olga").post(roles("acme"), "{\"role\":\"" + role + "\"}").ok();
        assertThat(catalog.as("olga").get(members(role)).ok().text()).isEqualTo("{\"grants\":[]}");
        assertThat(catalog.as("olga").get(members(outer)).ok().text()).isEqualTo("{\"grants\":[]}");
    }

    @Test
    void aGrantToARoleStaysInItsProject() {
        String role = "role:acme/" + newRole("user:ann");
        String table = newTable("stall");
        for (String at : List.of(
                path("stall", table) + "/access/grant",
                "/v1/namespace/stall/access/grant",
                "/v1/warehouse/pond/access/grant")) {
            refused(catalog.as("olga").post(at, giving(role, "reader")), 400, 13);
        }
        refused(catalog.as("olga").put("/v1/projects/rival/members", giving(role, "member")), 400, 13);
        catalog.as("olga").post(roles("rival"), "{\"role\":\"theirs\"}").ok();
        refused(catalog.as("olga").put(roles("rival") + "/theirs/members", giving(role, "assignee")), 400, 13);
        // Whether the other project has such a role is not told.
        refused(
                catalog.as("olga").post(path("stall", table) + "/access/grant", giving("role:acme/none", "reader")),
                400,
                13);
        refused(
                catalog.as("olga").post(path("stall", table) + "/access/grant", giving("role:rival/none", "reader")),
                404,
                4);
        assertThat(catalog.as("ann")
                        .post(path("stall", table) + "/exists", "{}")
                        .code())
                .isEqualTo(15);
    }

    @Test
    void aProjectsRungsButItsAdministrationAreGivenToRoles() {
        String role = newRole("user:dora");
        for (String rung : List.of("member", "data_admin", "security_admin", "role_creator")) {
            catalog.as("olga")
                    .put("/v1/projects/acme/members", giving("role:acme/" + role, rung))
                    .ok();
        }
        refused(catalog.as("olga").put("/v1/projects/acme/members", giving("role:acme/" + role, "admin")), 400, 13);
        assertThat(catalog.as("dora")
                        .post("/v1/projects/acme/access/my-permissions", "{}")
                        .ok()
                        .text())
                .contains("can_create_role")
                .doesNotContain("can_administer");
        catalog.as("dora")
                .post(roles("acme"), "{\"role\":\"" + fresh("role") + "\"}")
                .ok();
        catalog.as("olga").delete(roles("acme") + "/" + role).ok();
        refused(catalog.as("dora").post(roles("acme"), "{\"role\":\"" + fresh("role") + "\"}"), 403, 15);
    }

    @Test
    void whoMakesRolesGainsNothingByThem() {
        String maker = fresh("maker");
        String team = fresh("team");
        catalog.grant(maker, "role_creator", AccessObject.project("acme"));
        catalog.engine()
                .write(List.of(new Tuple(ObjectNames.user(maker), "member", ObjectNames.team(team))), List.of());
        RunningServer server = catalog.as(maker);
        String own = fresh("role");
        server.post(roles("acme"), "{\"role\":\"" + own + "\"}").ok();
        server.put(members(own), giving("user:somebody", "assignee")).ok();
        for (String himself : List.of("user:" + maker, "team:" + team)) {
            refused(server.put(members(own), giving(himself, "assignee")), 403, 15);
        }
        // Somebody else makes him one of the role: then it is his to share, and others are not.
        catalog.as("olga").put(members(own), giving("team:" + team, "assignee")).ok();
        server.put(members(own), giving("user:" + maker, "assignee")).ok();
        String other = newRole();
        refused(server.put(members(other), giving("role:acme/" + own, "assignee")), 403, 15);
        String between = fresh("role");
        server.post(roles("acme"), "{\"role\":\"" + between + "\"}").ok();
        server.put(members(other), giving("role:acme/" + between, "assignee")).ok();
        refused(server.put(members(between), giving("user:" + maker, "assignee")), 403, 15);
        refused(server.put(members(between), giving("role:acme/" + own, "assignee")), 403, 15);
        // A key knows no groups, so whoever comes with one may be in any.
        refused(
                server.asking(HeaderIdentification.KEY, "yes").put(members(between), giving("team:any", "assignee")),
                403,
                15);
    }

    @Test
    void nobodyRaisesARoleHeIsIn() {
        String manager = fresh("manager");
        String table = newTable("shop");
        catalog.grant(manager, "manage_grants", table("shop", table));
        String inner = newRole("user:" + manager);
        String outer = newRole("role:acme/" + inner);
        String ofTeam = newRole("team:crew");
        for (String role : List.of(inner, outer)) {
            refused(grant(manager, table, "role:acme/" + role, "reader"), 403, 15);
            refused(grant(manager, table, "role:acme/" + role, "owner"), 403, 15);
        }
        refused(
                catalog.as(manager)
                        .asking(HeaderIdentification.TEAMS, "crew")
                        .post(path("shop", table) + "/access/grant", giving("role:acme/" + ofTeam, "reader")),
                403,
                15);
        grant(manager, table, "role:acme/" + ofTeam, "reader").ok();
        grant(manager, table, "role:acme/" + newRole("user:another"), "owner").ok();
        assertThat(reads(manager, table)).isFalse();
        grant("olga", table, "role:acme/" + outer, "reader").ok();
        grant(manager, table, "role:acme/" + inner, "reader").ok();
    }

    @Test
    void aRoleInItselfIsRefusedAndOneThatCameToBeIsNoTrap() throws Exception {
        String a = newRole("user:cara");
        String b = newRole("role:acme/" + a);
        String c = newRole("role:acme/" + b);
        refused(catalog.as("olga").put(members(a), giving("role:acme/" + a, "assignee")), 400, 13);
        refused(catalog.as("olga").put(members(a), giving("role:acme/" + c, "assignee")), 400, 13);
        String left = newRole("user:lea");
        String right = newRole();
        List<String> both = List.of(left, right);
        try (Race race = new Race(2)) {
            List<Answer> answers = race.run(runner -> catalog.as("olga")
                    .put(members(both.get(runner)), giving("role:acme/" + both.get(1 - runner), "assignee")));
            // Each looks again after its write, so that both may be refused, and one always is.
            assertThat(answers).extracting(Answer::status).isSubsetOf(200, 400).contains(400);
        }
        // As two replicas may leave it.
        catalog.engine()
                .write(
                        List.of(
                                new Tuple("role:acme/" + left + "#assignee", "assignee", "role:acme/" + right),
                                new Tuple("role:acme/" + right + "#assignee", "assignee", "role:acme/" + left)),
                        List.of());
        String table = newTable("shop");
        grant("olga", table, "role:acme/" + right, "reader").ok();
        assertThat(reads("lea", table)).isTrue();
        assertThat(catalog.as("nobody")
                        .post(path("shop", table) + "/exists", "{}")
                        .code())
                .isEqualTo(15);
        assertThat(catalog.as("olga")
                        .post(path("shop", table) + "/access/graph", "{}")
                        .ok()
                        .json()
                        .path("truncated")
                        .asBoolean(true))
                .isFalse();
        catalog.as("olga").delete(roles("acme") + "/" + left).ok();
        assertThat(reads("lea", table)).isFalse();
    }

    @Test
    void rolesAsDeepAsTheyMayLieAreAskedForAtTheDeepestTable() {
        String project = fresh("project");
        String top = fresh("top");
        catalog.makeNamespace("olga", project, fresh("lake"), top);
        List<String> segments = new ArrayList<>(List.of(top));
        for (int depth = 2; depth <= 7; depth++) {
            segments.add("n" + depth);
            catalog.as("olga")
                    .post("/v1/namespace/" + RunningServer.id(segments.toArray(String[]::new)) + "/create", "{}")
                    .ok();
        }
        ObjectId table = new ObjectId(segments).child("t");
        String at = path(table.segments().toArray(String[]::new));
        catalog.as("olga").post(at + "/declare", "{}").ok();
        String inner = "team:divers";
        for (int depth = 1; depth <= DEEPEST; depth++) {
            catalog.as("olga")
                    .post(roles(project), "{\"role\":\"r" + depth + "\"}")
                    .ok();
            catalog.as("olga")
                    .put(roles(project) + "/r" + depth + "/members", giving(inner, "assignee"))
                    .ok();
            inner = "role:" + project + "/r" + depth;
        }
        catalog.as("olga").post(roles(project), "{\"role\":\"over\"}").ok();
        refused(catalog.as("olga").put(roles(project) + "/over/members", giving(inner, "assignee")), 400, 13);
        catalog.as("olga")
                .put("/v1/projects/" + project + "/members", giving(inner, "role_creator"))
                .ok();
        RunningServer diver = catalog.as("deep").asking(HeaderIdentification.TEAMS, "divers");
        assertThat(diver.post(at + "/exists", "{}").status()).isEqualTo(200);
        assertThat(diver.post(at + "/drop", "{}").code()).isEqualTo(15);
        assertThat(diver.post(at + "/access/list", "{}").code()).isEqualTo(15);
        assertThat(diver.post(at + "/access/my-permissions", "{}").ok().text())
                .contains("can_read_data")
                .doesNotContain("can_write_data");
    }

    @Test
    void whatIsGivenToARoleEndsInItsTimeAndWhoIsInOneStays() {
        String role = newRole("user:guest");
        String table = newTable("shop");
        catalog.as("olga")
                .post(
                        path("shop", table) + "/access/grant",
                        "{\"principal\":\"role:acme/" + role + "\",\"rung\":\"reader\",\"expires_in_seconds\":3}")
                .ok();
        assertThat(reads("guest", table)).isTrue();
        refused(
                catalog.as("olga")
                        .put(
                                members(role),
                                "{\"principal\":\"user:x\",\"rung\":\"assignee\",\"expires_in_seconds\":60}"),
                400,
                13);
        await().atMost(Duration.ofSeconds(20)).until(() -> !reads("guest", table));
    }

    @Test
    void aRolesDoorsAreForWhoMakesRolesAndDenialIsAbsence() {
        String role = newRole("user:ann");
        String member = fresh("member");
        catalog.grant(member, "member", AccessObject.project("acme"));
        for (String user : List.of("stranger", member)) {
            refused(catalog.as(user).post(roles("acme"), "{\"role\":\"mine\"}"), 403, 15);
            refused(catalog.as(user).put(members(role), giving("user:x", "assignee")), 403, 15);
            refused(catalog.as(user).delete(members(role) + "?principal=user:ann&rung=assignee"), 403, 15);
            refused(catalog.as(user).get(members(role)), 403, 15);
            Answer denied = catalog.as(user).delete(roles("acme") + "/" + role);
            Answer absent = catalog.as(user).delete(roles("acme") + "/no-such");
            refused(denied, 404, 4);
            assertThat(denied.json().path("detail").asString().replace(role, "no-such"))
                    .isEqualTo(absent.json().path("detail").asString());
        }
        refused(catalog.as("stranger").get(roles("acme")), 403, 15);
        assertThat(catalog.as(member).get(roles("acme")).ok().text()).contains("\"" + role + "\"");
        refused(catalog.as(member).get(members("no-such")), 404, 4);
        refused(catalog.as("olga").put(members("no-such"), giving("user:x", "assignee")), 404, 4);
        refused(catalog.as("olga").put(members(role), giving("role:acme/no-such", "assignee")), 404, 4);
        refused(catalog.as("olga").put(members(role), giving("user:x", "member")), 400, 13);
    }

    @Test
    void theWayToWhatARoleWasGivenGoesWithTheGrant() {
        String space = fresh("space");
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", space) + "/create", "{}")
                .ok();
        String role = newRole("user:walker");
        catalog.as("olga")
                .post(
                        "/v1/namespace/" + RunningServer.id("shop", space) + "/access/grant",
                        giving("role:acme/" + role, "reader"))
                .ok();
        assertThat(givenTo(role))
                .extracting(Tuple::relation, Tuple::object)
                .contains(
                        org.assertj.core.groups.Tuple.tuple("navigator", ObjectNames.of(namespace("shop"))),
                        org.assertj.core.groups.Tuple.tuple("navigator", "warehouse:lake"));
        catalog.as("olga")
                .post(
                        "/v1/namespace/" + RunningServer.id("shop", space) + "/access/revoke",
                        giving("role:acme/" + role, "reader"))
                .ok();
        assertThat(givenTo(role)).isEmpty();
    }

    @Test
    @ExtendWith(SharedCatalog.Provider.class)
    void withoutAnEngineNobodyIsInAnything(SharedCatalog shared) {
        RunningServer server = shared.server();
        for (Answer answer : List.of(
                server.post(roles("acme"), "{\"role\":\"r\"}"),
                server.get(roles("acme")),
                server.delete(roles("acme") + "/r"),
                server.get(members("r")),
                server.put(members("r"), giving("user:x", "assignee")),
                server.delete(members("r") + "?principal=user:x&rung=assignee"),
                server.post("/v1/projects/acme/access/graph", "{}"))) {
            refused(answer, 501, 0);
        }
    }
}
