package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.CountingProxy.Change;
import io.rask.catalog.testing.CountingProxy.Reply;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rights that are given while what they are on goes away, and grants of which the engine takes a part. */
class GrantRacesTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static CountingProxy proxy;
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        proxy = new CountingProxy(OpenFga.shared().uri());
        catalog = new GovernedCatalog(
                OpenFga.shared(),
                Map.of("lance.fga.api-url", proxy.uri().toString(), "lance.fga.timeout-seconds", "20"));
        catalog.makeNamespace("olga", "acme", "lake", "shop");
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

    @AfterEach
    void forward() {
        proxy.forwardAll();
    }

    private static String fresh(String kind) {
        return kind + "-" + NAMES.incrementAndGet();
    }

    private static RunningServer olga() {
        return catalog.as("olga");
    }

    private static String newTable() {
        String name = fresh("table");
        olga().post(path(name) + "/declare", "{}").ok();
        return name;
    }

    private static String path(String name) {
        return "/v1/table/" + RunningServer.id("shop", name);
    }

    private static String giving(String principal, String rung) {
        return "{\"principal\":\"" + principal + "\",\"rung\":\"" + rung + "\"}";
    }

    private static List<Tuple> heldBy(String user) {
        List<Tuple> held = new ArrayList<>();
        for (String type : List.of("project:", "role:", "warehouse:", "namespace:", "table:")) {
            held.addAll(catalog.engine().all(user, null, type));
        }
        return held;
    }

    @Test
    void aGrantThatRacesWithADropLeavesNothing() {
        String name = newTable();
        String user = fresh("user");
        proxy.onceBefore(() -> olga().post(path(name) + "/drop", "{}").ok(), "\"writes\"", user);
        refused(olga().post(path(name) + "/access/grant", giving("user:" + user, "reader")), 404, 4);
        assertThat(heldBy(ObjectNames.user(user))).isEmpty();
        assertThat(catalog.engine().of(ObjectNames.of(table("shop", name)))).isEmpty();
    }

    @Test
    void aGrantThatRacesWithARenameLeavesNothing() {
        String name = newTable();
        String user = fresh("user");
        String other = fresh("table");
        proxy.onceBefore(
                () -> olga().post(path(name) + "/rename", "{\"new_table_name\":\"" + other + "\"}")
                        .ok(),
                "\"writes\"",
                user);
        refused(olga().post(path(name) + "/access/grant", giving("user:" + user, "reader")), 404, 4);
        assertThat(heldBy(ObjectNames.user(user))).isEmpty();
        assertThat(olga().post(path(other) + "/describe", "{}").status()).isEqualTo(200);
    }

    private static String newProject() {
        String project = fresh("project");
        catalog.as(GovernedCatalog.ADMIN)
                .post("/v1/projects", "{\"id\":\"" + project + "\"}")
                .ok();
        return project;
    }

    private static void deleteProject(String project) {
        catalog.as(GovernedCatalog.ADMIN).delete("/v1/projects/" + project).ok();
    }

    @Test
    void aMemberWhoComesInWhileAProjectGoesIsNone() {
        String project = newProject();
        String user = fresh("user");
        proxy.onceBefore(() -> deleteProject(project), "\"writes\"", user);
        refused(
                catalog.as(GovernedCatalog.ADMIN)
                        .put("/v1/projects/" + project + "/members", giving("user:" + user, "member")),
                404,
                4);
        assertThat(heldBy(ObjectNames.user(user))).isEmpty();
        assertThat(catalog.engine().of("project:" + project)).isEmpty();
    }

    @Test
    void aProjectThatIsBeingDeletedTakesNoMembersAndNoRoles() {
        String project = newProject();
        catalog.server()
                .bean(Records.class)
                .mutate(RecordKey.of("_projects", project), content -> content.put("deleting", true));
        RunningServer admin = catalog.as(GovernedCatalog.ADMIN);
        refused(admin.put("/v1/projects/" + project + "/members", giving("user:x", "member")), 409, 14);
        refused(admin.post("/v1/projects/" + project + "/roles", "{\"role\":\"late\"}"), 409, 14);
        deleteProject(project);
        assertThat(catalog.server().bean(ProjectRegistry.class).find(project)).isEmpty();
    }

    @Test
    void aRoleThatIsMadeWhileItsProjectGoesLeavesNothing() {
        String project = newProject();
        RoleName role = new RoleName(project, "late");
        proxy.onceBefore(() -> deleteProject(project), "\"writes\"", "role:" + role);
        refused(
                catalog.as(GovernedCatalog.ADMIN).post("/v1/projects/" + project + "/roles", "{\"role\":\"late\"}"),
                409,
                14);
        assertThat(catalog.engine().of("role:" + role)).isEmpty();
        assertThat(catalog.server().bean(Records.class).read(RecordKey.of("_roles/" + project, "late")))
                .isEmpty();
    }

    @Test
    void aGrantToARoleThatGoesMeanwhileLeavesNothing() {
        String name = newTable();
        String role = fresh("role");
        String roles = "/v1/projects/acme/roles";
        olga().post(roles, "{\"role\":\"" + role + "\"}").ok();
        proxy.onceBefore(() -> olga().delete(roles + "/" + role).ok(), "\"writes\"", role, "reader");
        refused(olga().post(path(name) + "/access/grant", giving("role:acme/" + role, "reader")), 404, 4);
        assertThat(heldBy("role:acme/" + role + "#assignee")).isEmpty();
    }

    @Test
    void aRoleThatTheEngineDoesNotHearOfIsNotThereAndARepeatMakesIt() {
        String role = fresh("role");
        String roles = "/v1/projects/acme/roles";
        proxy.refuse("\"writes\"", "role:acme/" + role);
        refused(olga().post(roles, "{\"role\":\"" + role + "\"}"), 503, 17);
        proxy.forwardAll();
        assertThat(olga().get(roles).ok().text()).doesNotContain("\"" + role + "\"");
        refused(olga().delete(roles + "/" + role), 404, 4);
        olga().post(roles, "{\"role\":\"" + role + "\"}").ok();
        olga().put(roles + "/" + role + "/members", giving("user:x", "assignee"))
                .ok();
    }

    /** Makes a role, puts bob in and lets it read a table. */
    private static void makeInUse(String role, String table) {
        String roles = "/v1/projects/acme/roles";
        olga().post(roles, "{\"role\":\"" + role + "\"}").ok();
        olga().put(roles + "/" + role + "/members", giving("user:bob", "assignee"))
                .ok();
        olga().post(path(table) + "/access/grant", giving("role:acme/" + role, "reader"))
                .ok();
    }

    private static void isInUse(String role, String table) {
        assertThat(catalog.engine().of("role:acme/" + role))
                .extracting(Tuple::user)
                .containsExactlyInAnyOrder("user:bob", "project:acme");
        assertThat(catalog.as("bob").post(path(table) + "/exists", "{}").status())
                .isEqualTo(200);
    }

    @Test
    void aSecondCreationOfARoleTakesNothingOfWhatTheFirstHasMadeSince() {
        String[][] moments = {{"tuple_key", "role:acme/"}, {"\"writes\"", "project", "role:acme/"}};
        for (String[] moment : moments) {
            String role = fresh("role");
            String table = newTable();
            moment[moment.length - 1] += role + "\"";
            proxy.onceBefore(() -> makeInUse(role, table), moment);
            olga().post("/v1/projects/acme/roles", "{\"role\":\"" + role + "\"}")
                    .ok();
            isInUse(role, table);
        }
    }

    @Test
    void aSecondCreationOfARoleThatFailsTakesNothingEither() {
        String role = fresh("role");
        String table = newTable();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Change lostEdge = (path, question, answer) -> {
            String asked = new String(question, StandardCharsets.UTF_8);
            if (!asked.contains("\"writes\"") || !asked.contains("\"project\"") || !asked.contains(role)) {
                return answer;
            }
            if (isFirst.getAndSet(false)) {
                makeInUse(role, table);
            }
            return new Reply(500, new byte[0]);
        };
        proxy.answering(
                lostEdge,
                () -> refused(olga().post("/v1/projects/acme/roles", "{\"role\":\"" + role + "\"}"), 503, 17));
        isInUse(role, table);
    }

    @Test
    void whatWasSaidOfARoleThatIsLongGoneIsNotSaidOfTheNextOne() {
        String role = fresh("role");
        String table = newTable();
        catalog.engine()
                .write(
                        List.of(
                                new Tuple("user:bob", "assignee", "role:acme/" + role),
                                new Tuple("role:acme/" + role + "#assignee", "reader", "table:shop$" + table)),
                        List.of());
        olga().post("/v1/projects/acme/roles", "{\"role\":\"" + role + "\"}").ok();
        assertThat(catalog.engine().of("role:acme/" + role)).hasSize(1);
        assertThat(heldBy("role:acme/" + role + "#assignee")).isEmpty();
    }

    @Test
    void aRoleWhoseEndIsCutOffIsGoneAndARepeatGoesOn() {
        String name = newTable();
        String role = fresh("role");
        String roles = "/v1/projects/acme/roles";
        olga().post(roles, "{\"role\":\"" + role + "\"}").ok();
        olga().post(path(name) + "/access/grant", giving("role:acme/" + role, "reader"))
                .ok();
        proxy.refuse("\"deletes\"", "role:acme/" + role);
        refused(olga().delete(roles + "/" + role), 503, 17);
        proxy.forwardAll();
        refused(olga().post(path(name) + "/access/grant", giving("role:acme/" + role, "writer")), 404, 4);
        refused(olga().post(roles, "{\"role\":\"" + role + "\"}"), 409, 14);
        olga().delete(roles + "/" + role).ok();
        assertThat(heldBy("role:acme/" + role + "#assignee")).isEmpty();
        refused(olga().delete(roles + "/" + role), 404, 4);
    }

    @Test
    void anotherTimeThatIsHalfGivenIsToldAndARepeatGivesIt() {
        String name = newTable();
        String user = fresh("guest");
        String forGood = giving("user:" + user, "reader");
        olga().post(
                        path(name) + "/access/grant",
                        "{\"principal\":\"user:" + user + "\",\"rung\":\"reader\",\"expires_in_seconds\":600}")
                .ok();
        proxy.refuse("\"writes\"", user);
        Answer answer = olga().post(path(name) + "/access/grant", forGood);
        refused(answer, 503, 17);
        assertThat(answer.text()).contains("repeat the request");
        proxy.forwardAll();
        assertThat(catalog.engine().all(ObjectNames.user(user), "reader", ObjectNames.of(table("shop", name))))
                .isEmpty();
        olga().post(path(name) + "/access/grant", forGood).ok();
        assertThat(olga().post(path(name) + "/access/list", "{}").ok().text())
                .contains("{\"principal\":\"user:" + user + "\",\"rung\":\"reader\"}");
        assertThat(catalog.as(user).post(path(name) + "/exists", "{}").status()).isEqualTo(200);
        assertThat(catalog.engine()
                        .all(ObjectNames.user(user), "navigator", ObjectNames.of(AccessObject.warehouse("lake"))))
                .isNotEmpty();
    }
}
