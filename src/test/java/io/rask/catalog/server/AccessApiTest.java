package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Rung;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Giving and taking rights, on a real permission engine. */
@Tag("engine")
class AccessApiTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        catalog = new GovernedCatalog(OpenFga.shared(), Map.of());
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        catalog.as("olga").post("/v1/projects/acme/roles", "{\"role\":\"any\"}").ok();
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

    /** A table that olga made, who administers the project, and which a user of its own owns. */
    private record Owned(String name, String owner) {
        static Owned fresh() {
            Owned owned = new Owned(AccessApiTest.fresh("table"), AccessApiTest.fresh("owner"));
            catalog.as("olga").post(owned.path() + "/declare", "{}").ok();
            catalog.grant(owned.owner(), "owner", owned.object());
            return owned;
        }

        String path() {
            return "/v1/table/" + RunningServer.id("shop", name);
        }

        AccessObject object() {
            return table("shop", name);
        }
    }

    private static String giving(String principal, String rung) {
        return "{\"principal\":\"" + principal + "\",\"rung\":\"" + rung + "\"}";
    }

    private static boolean reads(String user, Owned table) {
        return catalog.as(user).post(table.path() + "/exists", "{}").status() == 200;
    }

    @Test
    void whatIsGivenWorksIsListedAndIsTakenBack() {
        Owned table = Owned.fresh();
        String user = fresh("user");
        RunningServer owner = catalog.as(table.owner());
        assertThat(reads(user, table)).isFalse();
        owner.post(table.path() + "/access/grant", giving("user:" + user, "reader"))
                .ok();
        owner.post(table.path() + "/access/grant", giving("user:" + user, "reader"))
                .ok();
        assertThat(reads(user, table)).isTrue();
        assertThat(catalog.as(user).post("/v1/namespace/shop/describe", "{}").status())
                .isEqualTo(200);
        assertThat(owner.post(table.path() + "/access/list", "{}").ok().text())
                .contains("{\"principal\":\"user:" + user + "\",\"rung\":\"reader\"}")
                .contains("{\"principal\":\"user:" + table.owner() + "\",\"rung\":\"owner\"}");
        assertThat(owner.post(table.path() + "/access/revoke", giving("user:" + user, "reader"))
                        .ok()
                        .text())
                .contains("\"revoked\":true");
        assertThat(owner.post(table.path() + "/access/revoke", giving("user:" + user, "reader"))
                        .ok()
                        .text())
                .contains("\"revoked\":false");
        assertThat(reads(user, table)).isFalse();
        assertThat(catalog.as(user).post("/v1/namespace/shop/describe", "{}").code())
                .isEqualTo(15);
    }

    @Test
    void aTeamsGrantIsItsMembers() {
        Owned table = Owned.fresh();
        String user = fresh("user");
        catalog.as(table.owner())
                .post(table.path() + "/access/grant", giving("team:ops", "reader"))
                .ok();
        assertThat(reads(user, table)).isFalse();
        assertThat(catalog.as(user)
                        .asking(HeaderIdentification.TEAMS, "ops")
                        .post(table.path() + "/exists", "{}")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Rung.class)
    void eachRungHasADoorThatTakesItsRungsOnly(Rung rung) {
        Owned table = Owned.fresh();
        String user = fresh("user");
        Answer onTable =
                catalog.as("olga").post(table.path() + "/access/grant", giving("user:" + user, rung.wireName()));
        Answer onProject = catalog.as("olga").put("/v1/projects/acme/members", giving("user:" + user, rung.wireName()));
        Answer onRole =
                catalog.as("olga").put("/v1/projects/acme/roles/any/members", giving("user:" + user, rung.wireName()));
        if (Rung.of(Kind.ROLE).contains(rung)) {
            onRole.ok();
        } else {
            refused(onRole, 400, 13);
        }
        if (Rung.of(Kind.PROJECT).contains(rung)) {
            refused(onTable, 400, 13);
            onProject.ok();
            assertThat(catalog.as("olga").get("/v1/projects/acme/members").text())
                    .contains(user);
            catalog.as("olga")
                    .delete("/v1/projects/acme/members?principal=user:" + user + "&rung=" + rung.wireName())
                    .ok();
            assertThat(catalog.as("olga").get("/v1/projects/acme/members").text())
                    .doesNotContain(user);
        } else {
            refused(onProject, 400, 13);
            if (Rung.of(Kind.TABLE).contains(rung)) {
                onTable.ok();
            } else {
                refused(onTable, 400, 13);
            }
        }
    }

    @Test
    void readersAndWritersGiveNothing() {
        Owned table = Owned.fresh();
        for (String rung : List.of("reader", "writer", "maintainer", "publisher")) {
            String user = fresh(rung);
            catalog.grant(user, rung, table.object());
            refused(catalog.as(user).post(table.path() + "/access/grant", giving("user:x", "reader")), 403, 15);
            refused(catalog.as(user).post(table.path() + "/access/revoke", giving("user:x", "reader")), 403, 15);
            refused(catalog.as(user).post(table.path() + "/access/list", "{}"), 403, 15);
        }
    }

    @Test
    void whoMayPassAGrantPassesWhatHeHas() {
        Owned table = Owned.fresh();
        String user = fresh("passer");
        catalog.grant(user, "reader", table.object());
        catalog.grant(user, "pass_grants", table.object());
        catalog.as(user)
                .post(table.path() + "/access/grant", giving("user:x", "reader"))
                .ok();
        refused(catalog.as(user).post(table.path() + "/access/grant", giving("user:x", "writer")), 403, 15);
    }

    @Test
    void nobodyRaisesHimselfNorATeamHeIsIn() {
        Owned table = Owned.fresh();
        String user = fresh("manager");
        String team = fresh("team");
        catalog.grant(user, "manage_grants", table.object());
        catalog.engine().write(List.of(new Tuple(ObjectNames.user(user), "member", ObjectNames.team(team))), List.of());
        RunningServer manager = catalog.as(user);
        for (String rung : List.of("owner", "writer", "reader", "pass_grants")) {
            refused(manager.post(table.path() + "/access/grant", giving("user:" + user, rung)), 403, 15);
            refused(manager.post(table.path() + "/access/grant", giving("team:" + team, rung)), 403, 15);
            refused(
                    manager.asking(HeaderIdentification.TEAMS, "of-token")
                            .post(table.path() + "/access/grant", giving("team:of-token", rung)),
                    403,
                    15);
        }
        // A key knows no groups, so whoever comes with one may be in any team.
        refused(
                manager.asking(HeaderIdentification.KEY, "yes")
                        .post(table.path() + "/access/grant", giving("team:of-token", "owner")),
                403,
                15);
        manager.post(table.path() + "/access/grant", giving("user:" + user, "manage_grants"))
                .ok();
        manager.post(table.path() + "/access/grant", giving("user:another", "owner"))
                .ok();
        assertThat(reads(user, table)).isFalse();
    }

    @Test
    void nobodyMakesHisOwnTimeLonger() {
        Owned table = Owned.fresh();
        String user = fresh("guest");
        catalog.as(table.owner())
                .post(
                        table.path() + "/access/grant",
                        "{\"principal\":\"user:" + user + "\",\"rung\":\"reader\",\"expires_in_seconds\":600}")
                .ok();
        catalog.grant(user, "pass_grants", table.object());
        refused(catalog.as(user).post(table.path() + "/access/grant", giving("user:" + user, "reader")), 403, 15);
        assertThat(reads(user, table)).isTrue();
    }

    @Test
    void aGrantForATimeEndsByItself() {
        Owned table = Owned.fresh();
        String user = fresh("guest");
        RunningServer owner = catalog.as(table.owner());
        assertThat(owner.post(
                                table.path() + "/access/grant",
                                "{\"principal\":\"user:" + user + "\",\"rung\":\"reader\",\"expires_in_seconds\":3}")
                        .ok()
                        .json()
                        .path("expires_at")
                        .asString(""))
                .isNotEmpty();
        assertThat(reads(user, table)).isTrue();
        // The allowance that was just given is remembered for a moment.
        await().atMost(Duration.ofSeconds(20)).until(() -> !reads(user, table));
        owner.post(table.path() + "/access/grant", giving("user:" + user, "reader"))
                .ok();
        assertThat(reads(user, table)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"owner", "manage_grants", "pass_grants"})
    void whatIsAnOwnersIsNotGivenForATime(String rung) {
        Owned table = Owned.fresh();
        refused(
                catalog.as(table.owner())
                        .post(
                                table.path() + "/access/grant",
                                "{\"principal\":\"user:x\",\"rung\":\"" + rung + "\",\"expires_in_seconds\":60}"),
                400,
                13);
    }

    @Test
    void anOwnerGivesUnlessTheAccessIsManaged() {
        String space = fresh("space");
        String path = "/v1/namespace/" + RunningServer.id("shop", space);
        catalog.as("olga").post(path + "/create", "{}").ok();
        String owner = fresh("owner");
        catalog.grant(owner, "owner", namespace("shop", space));
        String table = "/v1/table/" + RunningServer.id("shop", space, "t");
        catalog.as(owner).post(table + "/declare", "{}").ok();
        catalog.as(owner)
                .post(path + "/access/grant", giving("user:x", "reader"))
                .ok();
        refused(catalog.as(owner).post(path + "/managed-access/set", "{\"managed\":true}"), 403, 15);
        assertThat(catalog.as("olga")
                        .post(path + "/managed-access/set", "{\"managed\":true}")
                        .ok()
                        .text())
                .isEqualTo("{\"managed\":true,\"inherited\":false}");
        refused(catalog.as(owner).post(path + "/access/grant", giving("user:y", "reader")), 403, 15);
        refused(catalog.as(owner).post(table + "/access/grant", giving("user:y", "reader")), 403, 15);
        catalog.as("olga")
                .post(table + "/access/grant", giving("user:y", "reader"))
                .ok();
        catalog.as("olga")
                .post(path + "/managed-access/set", "{\"managed\":false}")
                .ok();
        catalog.as(owner)
                .post(table + "/access/grant", giving("user:z", "reader"))
                .ok();
        assertThat(catalog.as(owner)
                        .post(path + "/managed-access/describe", "{}")
                        .ok()
                        .text())
                .isEqualTo("{\"managed\":false,\"inherited\":false}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"principal\":\"user:x\",\"rung\":\"parent\"}",
                "{\"principal\":\"user:x\",\"rung\":\"can_read_data\"}",
                "{\"principal\":\"user:x\",\"rung\":\"navigator\"}",
                "{\"principal\":\"user:x\",\"rung\":\"READER\"}",
                "{\"principal\":\"user:*\",\"rung\":\"reader\"}",
                "{\"principal\":\"team:x#member\",\"rung\":\"reader\"}",
                "{\"principal\":\"role:x\",\"rung\":\"reader\"}",
                "{\"principal\":\"role:acme/\",\"rung\":\"reader\"}",
                "{\"principal\":\"role:acme/any#assignee\",\"rung\":\"reader\"}",
                "{\"principal\":\"role:acme/Any\",\"rung\":\"reader\"}",
                "{\"principal\":\"user:x\",\"rung\":\"refresher\"}",
                "{\"principal\":\"x\",\"rung\":\"reader\"}",
                "{\"principal\":\"user:\",\"rung\":\"reader\"}",
                "{\"principal\":\"user:x\",\"rung\":\"reader\",\"expires_in_seconds\":0}"
            })
    void whatTheModelDoesNotKnowIsTheClientsError(String body) {
        Owned table = Owned.fresh();
        refused(catalog.as(table.owner()).post(table.path() + "/access/grant", body), 400, 13);
    }

    @Test
    void nothingIsGivenOnWhatIsNotThere() {
        String absent = "/v1/table/" + RunningServer.id("shop", "absent");
        catalog.engine().write(List.of(new Tuple("namespace:shop", "parent", "table:shop$absent")), List.of());
        refused(catalog.as("olga").post(absent + "/access/grant", giving("user:x", "reader")), 404, 4);
        refused(catalog.as("olga").post("/v1/namespace/$/access/grant", giving("user:x", "reader")), 400, 13);
        refused(catalog.as(GovernedCatalog.ADMIN).get("/v1/projects/absent/members"), 404, 4);
    }

    private static String freshProject(String... admins) {
        String project = fresh("project");
        catalog.as(GovernedCatalog.ADMIN)
                .post("/v1/projects", "{\"id\":\"" + project + "\"}")
                .ok();
        AccessObject object = AccessObject.project(project);
        for (String admin : admins) {
            catalog.grant(admin, "admin", object);
        }
        if (admins.length > 0) {
            catalog.revoke(GovernedCatalog.ADMIN, "admin", object);
        }
        return project;
    }

    @Test
    void theLastAdministratorOfAProjectStays() {
        String project = freshProject("ann");
        String members = "/v1/projects/" + project + "/members";
        refused(catalog.as("ann").delete(members + "?principal=user:ann&rung=admin"), 409, 14);
        assertThat(catalog.as("ann").get(members).ok().text())
                .isEqualTo("{\"grants\":[{\"principal\":\"user:ann\",\"rung\":\"admin\"}]}");
        catalog.as("ann").put(members, giving("user:bea", "admin")).ok();
        catalog.as("ann").delete(members + "?principal=user:ann&rung=admin").ok();
        refused(catalog.as("ann").get(members), 403, 15);
        refused(catalog.as("bea").put(members, giving("team:ops", "admin")), 400, 13);
    }

    @Test
    void twoWhoTakeEachOtherAwayLeaveOneAtLeast() throws Exception {
        String project = freshProject("ann", "bea");
        String members = "/v1/projects/" + project + "/members";
        List<String> admins = List.of("ann", "bea");
        List<Answer> answers;
        try (Race race = new Race(2)) {
            answers = race.run(runner -> catalog.as(admins.get(runner))
                    .delete(members + "?principal=user:" + admins.get(1 - runner) + "&rung=admin"));
        }
        assertThat(answers).extracting(Answer::status).isSubsetOf(200, 403, 409);
        assertThat(catalog.engine().all(null, "admin", ObjectNames.of(AccessObject.project(project))))
                .isNotEmpty();
    }

    @Test
    void myPermissionsAreWhatTheGatesSay() {
        Owned table = Owned.fresh();
        String user = fresh("user");
        catalog.grant(user, "writer", table.object());
        Answer mine = catalog.as(user)
                .post(table.path() + "/access/my-permissions", "{}")
                .ok();
        Set<String> told = new TreeSet<>();
        mine.json().path("permissions").forEach(action -> told.add(action.asString()));
        assertThat(told).contains("can_read_data", "can_write_data").doesNotContain("can_drop", "can_grant_reader");
        for (String action :
                List.of("can_read_data", "can_write_data", "can_drop", "can_restore", "can_grant_reader")) {
            Answer checked = catalog.as(table.owner())
                    .post(
                            table.path() + "/access/check",
                            "{\"principal\":\"user:" + user + "\",\"action\":\"" + action + "\"}")
                    .ok();
            assertThat(checked.json().path("allowed").asBoolean()).as(action).isEqualTo(told.contains(action));
        }
        // The gates themselves, which may refuse for another reason behind them.
        Map<String, String> gates = Map.of(
                "can_get_metadata", "/describe {}",
                "can_read_data", "/count_rows {}",
                "can_write_data", "/delete {\"predicate\":\"false\"}",
                "can_create_tag", "/tags/create {\"tag\":\"new\",\"version\":1}",
                "can_restore", "/restore {\"version\":1}",
                "can_drop", "/drop {}");
        gates.forEach((action, gate) -> {
            String[] request = gate.split(" ", 2);
            Answer answer = catalog.as(user).post(table.path() + request[0], request[1]);
            boolean passed = answer.status() < 400 || answer.code() != 15;
            assertThat(passed).as(action + ": " + answer.text()).isEqualTo(told.contains(action));
        });
        refused(
                catalog.as(table.owner())
                        .post(table.path() + "/access/check", "{\"principal\":\"user:x\",\"action\":\"can_fly\"}"),
                400,
                13);
        assertThat(catalog.as("olga")
                        .post("/v1/projects/acme/access/my-permissions", "{}")
                        .ok()
                        .text())
                .contains("can_create_warehouse");
        assertThat(catalog.as("olga")
                        .post("/v1/warehouse/lake/access/my-permissions", "{}")
                        .ok()
                        .text())
                .contains("can_set_managed_access");
    }
}
