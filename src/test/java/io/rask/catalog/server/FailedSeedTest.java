package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.CountingProxy.Change;
import io.rask.catalog.testing.CountingProxy.Reply;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects that get no owner, since the permission engine fails just when it is told of them: it has answered every question before. */
@Tag("engine")
class FailedSeedTest {
    /** The engine may have heard what it was told, or not: its answer is lost. */
    private static final Change LOST_WRITES =
            (path, question, answer) -> path.endsWith("/write") ? new Reply(500, new byte[0]) : answer;

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static CountingProxy proxy;
    private static GovernedCatalog catalog;
    private static RunningServer olga;

    @BeforeAll
    static void start() {
        OpenFga engine = OpenFga.shared();
        proxy = new CountingProxy(engine.uri());
        catalog = new GovernedCatalog(
                engine,
                Map.of(
                        "lance.fga.api-url", proxy.uri().toString(),
                        "lance.fga.timeout-seconds", "1",
                        "lance.fga.cache-ttl", "0s",
                        "lance.jobs.worker", "none"));
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        olga = catalog.as("olga");
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

    private static String fresh(String kind) {
        return kind + "-" + NAMES.incrementAndGet();
    }

    private static String table(String... segments) {
        return "/v1/table/" + id(segments);
    }

    private static void fails(Supplier<Answer> creation) {
        proxy.answering(LOST_WRITES, () -> refused(creation.get(), 503, 17));
    }

    private static void hasNoRights(AccessObject object) {
        assertThat(catalog.engine().of(ObjectNames.of(object))).isEmpty();
    }

    /** Everything below the warehouse that carries a name. */
    private static List<Path> bytesOf(String name) {
        try (Stream<Path> files = Files.walk(catalog.folder().resolve("lance"))) {
            return files.filter(file -> file.getFileName().toString().contains(name))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTableWithoutAnOwnerIsUnmadeWithItsBytes() {
        String declared = fresh("declared");
        String created = fresh("created");
        fails(() -> olga.post(table("shop", declared) + "/declare", "{}"));
        fails(() -> olga.arrow(table("shop", created) + "/create", ArrowStreams.longs("id", 1)));
        fails(() -> olga.arrow(table("shop", created) + "/create?mode=overwrite", ArrowStreams.longs("id", 1)));
        for (String name : List.of(declared, created)) {
            refused(olga.post(table("shop", name) + "/describe", "{}"), 404, 4);
            hasNoRights(GovernedCatalog.table("shop", name));
            assertThat(bytesOf(name)).isEmpty();
        }
        olga.arrow(table("shop", created) + "/create", ArrowStreams.longs("id", 1))
                .ok();
    }

    @Test
    void aRegistrationWithoutAnOwnerIsUnmadeAndItsBytesStay() {
        String name = fresh("registered");
        olga.arrow(table("shop", name) + "/create", ArrowStreams.longs("id", 1, 2))
                .ok();
        String location = olga.post(table("shop", name) + "/deregister", "{}")
                .ok()
                .json()
                .path("location")
                .asString();
        String folder = location.substring(location.lastIndexOf('/') + 1);
        List<Path> before = bytesOf(folder);
        assertThat(before).isNotEmpty();
        String body = "{\"location\":\"" + folder + "\"}";
        fails(() -> olga.post(table("shop", name) + "/register", body));
        refused(olga.post(table("shop", name) + "/describe", "{}"), 404, 4);
        hasNoRights(GovernedCatalog.table("shop", name));
        assertThat(bytesOf(folder)).isEqualTo(before);
        olga.post(table("shop", name) + "/register", body).ok();
        assertThat(olga.post(table("shop", name) + "/count_rows", "{}").text()).isEqualTo("2");
    }

    @Test
    void aNamespaceWithoutAnOwnerIsUnmade() {
        String nested = fresh("nested");
        String top = fresh("top");
        fails(() -> olga.post("/v1/namespace/" + id("shop", nested) + "/create", "{}"));
        refused(olga.post("/v1/namespace/" + id("shop", nested) + "/describe", "{}"), 404, 1);
        hasNoRights(GovernedCatalog.namespace("shop", nested));
        String bind = "{\"namespace\":\"" + top + "\"}";
        fails(() -> olga.post("/v1/warehouses/lake/namespaces", bind));
        assertThat(olga.get("/v1/warehouses/lake/namespaces").ok().text()).doesNotContain(top);
        hasNoRights(GovernedCatalog.namespace(top));
        // The name is free again, in the root of the warehouse too: nothing has to be adopted.
        olga.post("/v1/warehouses/lake/namespaces", bind).ok();
    }

    @Test
    void anAdoptedNamespaceWithoutAnOwnerKeepsAllThatIsInIt() {
        String name = fresh("adopted");
        String adopt = "{\"namespace\":\"" + name + "\",\"adopt_existing\":true}";
        olga.post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + name + "\",\"properties\":{\"k\":\"v\"}}")
                .ok();
        olga.post("/v1/namespace/" + id(name, "inner") + "/create", "{}").ok();
        olga.delete("/v1/warehouses/lake/namespaces/" + name).ok();

        fails(() -> olga.post("/v1/warehouses/lake/namespaces", adopt));
        // It may stay bound without an owner; a repeat by whoever adopted it ends that.
        olga.post("/v1/warehouses/lake/namespaces", adopt).ok();
        assertThat(olga.post("/v1/namespace/" + name + "/describe", "{}").ok().text())
                .contains("\"k\":\"v\"");
        // Rights inside are another matter than what is inside: unbinding took them.
        AccessObject inner = GovernedCatalog.namespace(name, "inner");
        Tuple edge = new Tuple(ObjectNames.of(GovernedCatalog.namespace(name)), "parent", ObjectNames.of(inner));
        catalog.engine().write(List.of(edge), List.of());
        olga.post("/v1/namespace/" + id(name, "inner") + "/describe", "{}").ok();
    }

    @Test
    void aRepeatOfACrashedCreationThatTheEngineFailsCanBeRepeated() {
        String name = fresh("crashed");
        String bind = "{\"namespace\":\"" + name + "\"}";
        catalog.server().bean(TopLevelNamespaces.class).create("lake", name, Map.of(), false, "olga");
        fails(() -> olga.post("/v1/warehouses/lake/namespaces", bind));
        olga.post("/v1/warehouses/lake/namespaces", bind).ok();
        olga.post("/v1/namespace/" + name + "/describe", "{}").ok();
    }

    @Test
    void aFreshNamespaceThatMightHaveBeenAdoptedIsUnmadeWithoutAnOwner() {
        String name = fresh("adoptable");
        fails(() -> olga.post(
                "/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + name + "\",\"adopt_existing\":true}"));
        olga.post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + name + "\"}")
                .ok();
    }

    @Test
    void anUnbindingThatTheEngineFailsIsEndedByItsRepeat() {
        String name = fresh("unbound");
        String binding = "/v1/warehouses/lake/namespaces/" + name;
        olga.post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + name + "\"}")
                .ok();
        fails(() -> olga.delete(binding));
        olga.delete(binding).ok();
        hasNoRights(GovernedCatalog.namespace(name));
        olga.post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + name + "\",\"adopt_existing\":true}")
                .ok();
    }

    @Test
    void aRepeatedCreationOfAProjectTellsAStrangerNothingButThatTheIdIsTaken() {
        String project = fresh("tenant");
        String body = "{\"id\":\"" + project + "\"}";
        catalog.grant("opal", "operator", AccessObject.ESTATE);
        catalog.grant("stan", "operator", AccessObject.ESTATE);
        catalog.as("opal").post("/v1/projects", body).ok();
        Answer answer = refused(catalog.as("stan").post("/v1/projects", body), 409, 2);
        assertThat(answer.text()).contains(project).doesNotContain("opal");
        assertThat(catalog.as("opal").post("/v1/projects", body).ok().text()).contains("opal");
        catalog.grant("stan", "member", AccessObject.project(project));
        catalog.as("stan").post("/v1/projects", body).ok();
    }

    /** Keeping what is there, and replacing a table, tells the engine nothing, so nothing of it can fail and be taken back. */
    @Test
    void whatWasThereBeforeIsKeptAndReplacedWithoutANewOwner() {
        String name = fresh("kept");
        String space = fresh("space");
        String nested = "/v1/namespace/" + id("shop", space);
        olga.arrow(table("shop", name) + "/create", ArrowStreams.longs("id", 1, 2))
                .ok();
        olga.post(nested + "/create", "{}").ok();
        catalog.grant("rita", "reader", GovernedCatalog.table("shop", name));
        List<Tuple> before = catalog.engine().of(ObjectNames.of(GovernedCatalog.table("shop", name)));
        proxy.answering(LOST_WRITES, () -> {
            olga.arrow(table("shop", name) + "/create?mode=exist_ok", ArrowStreams.longs("id", 3))
                    .ok();
            olga.post(nested + "/create", "{\"mode\":\"exist_ok\"}").ok();
        });
        assertThat(olga.post(table("shop", name) + "/count_rows", "{}").text()).isEqualTo("2");
        proxy.answering(LOST_WRITES, () -> {
            olga.arrow(table("shop", name) + "/create?mode=overwrite", ArrowStreams.longs("id", 3))
                    .ok();
        });
        // Who replaces a namespace owns it from then on, which the engine is told of; a repeat ends that.
        fails(() -> olga.post(nested + "/create", "{\"mode\":\"overwrite\"}"));
        olga.post(nested + "/create", "{\"mode\":\"overwrite\"}").ok();
        assertThat(olga.post(table("shop", name) + "/count_rows", "{}").text()).isEqualTo("1");
        olga.post(nested + "/describe", "{}").ok();
        assertThat(catalog.engine().of(ObjectNames.of(GovernedCatalog.table("shop", name))))
                .containsExactlyInAnyOrderElementsOf(before);
    }

    /** What a frozen engine does when it thaws comes after all that the catalog could still take back. */
    @Test
    void whatTheEngineHeardTooLateIsNoRightOnWhatAnotherMakesOfThatName() {
        String name = fresh("late");
        catalog.grant("early", "writer", GovernedCatalog.namespace("shop"));
        fails(() -> catalog.as("early").post(table("shop", name) + "/declare", "{}"));
        catalog.revoke("early", "writer", GovernedCatalog.namespace("shop"));
        catalog.grant("early", "owner", GovernedCatalog.table("shop", name));
        olga.post(table("shop", name) + "/declare", "{}").ok();
        refused(catalog.as("early").post(table("shop", name) + "/describe", "{}"), 403, 15);
    }
}
