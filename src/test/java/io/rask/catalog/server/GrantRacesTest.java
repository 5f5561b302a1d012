package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.table;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.hierarchy.RoleRegistry;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.CountingProxy.Change;
import io.rask.catalog.testing.CountingProxy.Reply;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
                Map.of("lance.fga.api-url", proxy.uri().toString(), "lance.fga.timeout-seconds", "6"));
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

    private static void rename(String name, String other) {
        olga().post(path(name) + "/rename", "{\"new_table_name\":\"" + other + "\"}")
                .ok();
    }

    @Test
    void aGrantThatRacesWithADropLeavesNothing() {
        String name = newTable();
        String user = fresh("user");
        proxy.onceBefore(() -> olga().post(path(name) + "/drop", "{}").ok(), "\"writes\"", user);
        refused(olga().post(path(name) + "/access/grant", giving("user:" + user, "reader")), 409, 14);
        assertThat(heldBy(ObjectNames.user(user))).isEmpty();
        assertThat(catalog.engine().of(ObjectNames.of(table("shop", name)))).isEmpty();
    }

    @Test
    void aGrantThatRacesWithARenameLeavesNothingOnTheOldNameAndIsToldSo() {
        String name = newTable();
        String user = fresh("user");
        String other = fresh("table");
        proxy.onceBefore(() -> rename(name, other), "\"writes\"", user);
        Answer answer = olga().post(path(name) + "/access/grant", giving("user:" + user, "reader"));
        refused(answer, 409, 14);
        assertThat(answer.text()).contains("renamed");
        assertThat(heldBy(ObjectNames.user(user))).isEmpty();
        assertThat(olga().post(path(other) + "/describe", "{}").status()).isEqualTo(200);
    }

    @Test
    void aRevocationThatRacesWithARenameDoesNotPassForDone() {
        String name = newTable();
        String user = fresh("user");
        String other = fresh("table");
        olga().post(path(name) + "/access/grant", giving("user:" + user, "reader"))
                .ok();
        proxy.onceBefore(() -> rename(name, other), "\"deletes\"", user);
        refused(olga().post(path(name) + "/access/revoke", giving("user:" + user, "reader")), 409, 14);
        assertThat(catalog.engine().of(ObjectNames.of(table("shop", other))))
                .extracting(Tuple::user)
                .contains(ObjectNames.user(user));
        assertThat(olga().post(path(other) + "/access/revoke", giving("user:" + user, "reader"))
                        .ok()
                        .text())
                .contains("true");
        assertThat(heldBy(ObjectNames.user(user))).isEmpty();
    }

    @Test
    void ofTwoRolesThatArePutIntoEachOtherTheLaterIsRefused() {
        String left = fresh("left");
        String right = fresh("right");
        String roles = "/v1/projects/acme/roles";
        for (String role : List.of(left, right)) {
            olga().post(roles, "{\"role\":\"" + role + "\"}").ok();
        }
        proxy.onceBefore(
                () -> olga().put(roles + "/" + right + "/members", giving("role:acme/" + left, "assignee"))
                        .ok(),
                "\"writes\"",
                "role:acme/" + right + "#assignee");
        refused(olga().put(roles + "/" + left + "/members", giving("role:acme/" + right, "assignee")), 400, 13);
        assertThat(heldBy("role:acme/" + right + "#assignee")).isEmpty();
        assertThat(heldBy("role:acme/" + left + "#assignee")).hasSize(1);
    }

    @Test
    void anAdministratorStaysWhereTheEngineDoesNotSayWhetherThereIsAnother() {
        String project = newProject();
        String members = "/v1/projects/" + project + "/members";
        String zed = fresh("zed");
        RunningServer admin = catalog.as(GovernedCatalog.ADMIN);
        admin.put(members, giving("user:" + zed, "admin")).ok();
        AtomicBoolean isTaken = new AtomicBoolean();
        Change silent = (path, question, answer) -> {
            String asked = new String(question, StandardCharsets.UTF_8);
            if (asked.contains("\"deletes\"") && asked.contains(zed)) {
                // Another request takes the other one away at the same moment.
                catalog.engine()
                        .write(
                                List.of(),
                                List.of(new Tuple(
                                        ObjectNames.user(GovernedCatalog.ADMIN), "admin", "project:" + project)));
                isTaken.set(true);
            }
            return isTaken.get() && path.endsWith("/read") ? new Reply(500, new byte[0]) : answer;
        };
        proxy.answering(
                silent, () -> refused(admin.delete(members + "?principal=user:" + zed + "&rung=admin"), 503, 17));
        assertThat(isTaken).isTrue();
        assertThat(catalog.engine().all(null, "admin", "project:" + project))
                .containsExactly(new Tuple(ObjectNames.user(zed), "admin", "project:" + project));
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
    void aProjectGoesThoughOthersEndItsRolesMeanwhile() {
        String project = newProject();
        RoleRegistry registry = catalog.server().bean(RoleRegistry.class);
        List<RoleName> roles = List.of(new RoleName(project, "one"), new RoleName(project, "two"));
        for (RoleName role : roles) {
            catalog.as(GovernedCatalog.ADMIN)
                    .post("/v1/projects/" + project + "/roles", "{\"role\":\"" + role.name() + "\"}")
                    .ok();
        }
        proxy.onceBefore(
                () -> roles.forEach(role -> registry.end(role, () -> {})), "\"deletes\"", "role:" + project + "/");
        deleteProject(project);
        assertThat(catalog.server().bean(ProjectRegistry.class).find(project)).isEmpty();
        assertThat(catalog.engine().of("project:" + project)).isEmpty();
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

    @Test
    void anotherTimeThatTheStoreDoesNotConfirmIsToldAndARepeatGivesIt() {
        String name = newTable();
        String user = fresh("guest");
        olga().post(
                        path(name) + "/access/grant",
                        "{\"principal\":\"user:" + user + "\",\"rung\":\"reader\",\"expires_in_seconds\":600}")
                .ok();
        StoreUri.Folder root = (StoreUri.Folder)
                catalog.server().bean(Locator.class).ofWarehouse("lake").place();
        Path manifest = root.path().resolve("__manifest");
        Path aside = root.path().resolve("aside");
        proxy.onceBefore(() -> move(manifest, aside), "\"writes\"", user);
        Answer answer = olga().post(path(name) + "/access/grant", giving("user:" + user, "reader"));
        move(aside, manifest);
        refused(answer, 503, 17);
        assertThat(answer.text()).contains("for another time");
        assertThat(catalog.engine().all(ObjectNames.user(user), "reader", ObjectNames.of(table("shop", name))))
                .isEmpty();
        olga().post(path(name) + "/access/grant", giving("user:" + user, "reader"))
                .ok();
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
