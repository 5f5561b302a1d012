package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Meanwhile;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What doors ask where it depends on what is there, and what they tell of what is not, on a real permission engine. */
@Tag("engine")
class GatesTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String SKIP = "{\"mode\":\"Skip\"}";
    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        catalog = new GovernedCatalog(OpenFga.shared(), Map.of("lance.fga.cache-ttl", "0s"), Meanwhile.class);
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        catalog.grant("rita", "reader", namespace("shop"));
        catalog.grant("wanda", "writer", namespace("shop"));
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

    private static Answer ask(String user, String address, String body) {
        return catalog.as(user).post(address, body);
    }

    private static String table(String name, String tail) {
        return "/v1/table/" + RunningServer.id("shop", name) + "/" + tail;
    }

    private static String space(String tail, String... segments) {
        return "/v1/namespace/" + RunningServer.id(segments) + "/" + tail;
    }

    @Test
    void aDropThatSkipsWhatIsAbsentSucceedsForWhoOwnsWhatItWouldLieIn() {
        String gone = space("drop", "shop", "gone");
        ask("olga", gone, SKIP).ok();
        assertThat(ask("olga", gone + "?dry_run=true", SKIP).status()).isEqualTo(200);
        refused(ask("olga", gone, "{}"), 404, 1);
        refused(ask("rita", gone, SKIP), 404, 1);
        Answer denied = ask("stranger", gone, SKIP);
        refused(denied, 403, 15);
        String name = fresh("there");
        ask("olga", space("create", "shop", name), "{}").ok();
        // Whoever may not know learns the same of what is there and of what is not.
        assertThat(ask("stranger", space("drop", "shop", name), SKIP).text().replace(name, "gone"))
                .contains("can_delete on the namespace 'shop$gone'");
        assertThat(denied.text()).contains("can_delete on the namespace 'shop$gone'");
        ask("olga", space("drop", "shop", name), SKIP).ok();
        refused(ask("olga", space("describe", "shop", name), "{}"), 404, 1);
    }

    /** What a drop leaves that ends between the rows and the binding. */
    private static void leaveBinding(String name) {
        TopLevelNamespaces topLevel = catalog.server().bean(TopLevelNamespaces.class);
        topLevel.create("lake", name, Map.of(), false, null);
        catalog.server()
                .bean(Manifests.class)
                .commit(topLevel.home("lake").orElseThrow().root(), view -> ManifestChange.Plan.remove(name));
    }

    @Test
    void aSkippedTopLevelNameNeedsTheOwnerOfItsWarehouseAndLosesItsBinding() {
        BindingRegistry bindings = catalog.server().bean(BindingRegistry.class);
        String ghost = fresh("ghost");
        leaveBinding(ghost);
        refused(ask("stranger", space("drop", ghost), SKIP), 403, 15);
        assertThat(bindings.find(ghost)).isPresent();
        ask("olga", space("drop", ghost), SKIP).ok();
        assertThat(bindings.find(ghost)).isEmpty();
        // Bound nowhere, it is in nobody's warehouse.
        refused(ask("olga", space("drop", ghost), SKIP), 403, 15);
        ask(GovernedCatalog.ADMIN, space("drop", ghost), SKIP).ok();
    }

    private static void makeTable(String user, String name, long... rows) {
        catalog.as(user)
                .arrow(table(name, "create"), ArrowStreams.longs("id", rows))
                .ok();
    }

    private static Answer overwrite(String user, String name) {
        return catalog.as(user).arrow(table(name, "create?mode=overwrite"), ArrowStreams.longs("id", 9));
    }

    private static String rows(String name) {
        return ask("olga", table(name, "count_rows"), "{}").text();
    }

    @Test
    void anOverwriteReplacesNoTableThatItsDoorDidNotAskAbout() {
        String name = fresh("table");
        Meanwhile.behindTheNextDoor(() -> makeTable("olga", name, 1, 2));
        refused(overwrite("wanda", name), 409, 14);
        assertThat(rows(name)).isEqualTo("2");
        refused(overwrite("wanda", name), 403, 15);
        // The right to drop is one on the table of before.
        catalog.grant("owen", "owner", GovernedCatalog.table("shop", name));
        catalog.grant("owen", "writer", namespace("shop"));
        Meanwhile.behindTheNextDoor(() -> {
            ask("olga", table(name, "drop"), "{}").ok();
            makeTable("olga", name, 1, 2, 3);
        });
        refused(overwrite("owen", name), 409, 14);
        assertThat(rows(name)).isEqualTo("3");
        overwrite("olga", name).ok();
        assertThat(rows(name)).isEqualTo("1");
    }

    @Test
    void aRegistrationReplacesNoTableThatItsDoorDidNotAskAbout() {
        String source = fresh("source");
        makeTable("olga", source, 1);
        String location = ask("olga", table(source, "deregister"), "{}")
                .json()
                .path("location")
                .asString();
        String name = fresh("table");
        String register = "{\"location\":\"" + location + "\",\"mode\":\"overwrite\"}";
        Meanwhile.behindTheNextDoor(() -> makeTable("olga", name, 1, 2));
        refused(ask("wanda", table(name, "register"), register), 409, 14);
        assertThat(rows(name)).isEqualTo("2");
        ask("olga", table(name, "register"), register).ok();
        assertThat(rows(name)).isEqualTo("1");
    }

    @Test
    void aNamespaceThatItsDoorDidNotSeeIsNeitherReplacedNorToldNorDropped() {
        for (String mode : new String[] {"overwrite", "exist_ok"}) {
            String name = fresh("space");
            Meanwhile.behindTheNextDoor(
                    () -> ask("olga", space("create", "shop", name), "{\"properties\":{\"plan\":\"mine\"}}")
                            .ok());
            refused(ask("wanda", space("create", "shop", name), "{\"mode\":\"" + mode + "\"}"), 409, 14);
            assertThat(ask("olga", space("describe", "shop", name), "{}").text())
                    .contains("mine");
        }
        String name = fresh("space");
        Meanwhile.behindTheNextDoor(
                () -> ask("olga", space("create", "shop", name), "{}").ok());
        ask("olga", space("drop", "shop", name), SKIP).ok();
        ask("olga", space("exists", "shop", name), "{}").ok();
    }

    @Test
    void whatABatchNamesThatIsAbsentIsToldToWhoMayReadWhereItWouldBe() {
        String batch = "/v1/table/batch-commit";
        String deregister = "{\"operations\":[{\"deregister_table\":{\"id\":[\"shop\",\"none\"]}}]}";
        refused(ask("olga", batch, deregister), 404, 4);
        refused(ask("rita", batch, deregister), 404, 4);
        refused(ask("stranger", batch, deregister), 403, 15);
        String declare = "{\"operations\":[{\"declare_table\":{\"id\":[\"shop\",\"none\",\"any\"]}}]}";
        refused(ask("olga", batch, declare), 404, 1);
        refused(ask("stranger", batch, declare), 403, 15);
        String mine = fresh("table");
        makeTable("olga", mine, 1);
        String both = "{\"operations\":[{\"deregister_table\":{\"id\":[\"shop\",\"" + mine
                + "\"]}},{\"deregister_table\":{\"id\":[\"shop\",\"none\"]}}]}";
        refused(ask("wanda", batch, both), 403, 15);
        refused(ask("olga", batch, both), 404, 4);
    }

    @Test
    void whatLiesInSomethingAbsentIsToldToWhoMayReadTheNearestThatIsThere() {
        String deep = "/v1/table/" + RunningServer.id("shop", "none", "nor-this", "any") + "/describe";
        refused(ask("rita", deep, "{}"), 404, 4);
        refused(ask("stranger", deep, "{}"), 403, 15);
        refused(ask("rita", space("describe", "shop", "none", "any"), "{}"), 404, 1);
    }

    @Test
    void transactionsOfAnAbsentTableAndViewsThatAreNoneAreAbsent() {
        String transaction = "/v1/transaction/" + RunningServer.id("shop", "none", "1") + "/describe";
        refused(ask("olga", transaction, "{}"), 404, 10);
        refused(ask("stranger", transaction, "{}"), 403, 15);
        String plain = fresh("plain");
        makeTable("olga", plain, 1);
        catalog.grant("paul", "owner", GovernedCatalog.table("shop", plain));
        String view = "/v1/materialized_view/" + RunningServer.id("shop", plain);
        for (String user : new String[] {"olga", "rita", "paul"}) {
            refused(ask(user, view + "/describe", "{}"), 404, 4);
            refused(ask(user, view + "/drop", "{}"), 404, 4);
        }
        refused(ask("stranger", view + "/describe", "{}"), 403, 15);
    }

    @Test
    void whoMayWriteInANamespaceSetsPropertiesOfItsBatchesAndCancelsNone() {
        String name = fresh("table");
        String id = ask(
                        "olga",
                        "/v1/table/batch-commit",
                        "{\"operations\":[{\"declare_table\":{\"id\":[\"shop\",\"" + name + "\"]}}]}")
                .json()
                .path("transaction_id")
                .asString();
        assertThat(id).isNotEmpty();
        String alter = "/v1/transaction/" + id + "/alter";
        String set = "{\"set_property_action\":{\"key\":\"why\",\"value\":\"test\"}}";
        String cancel = "{\"set_status_action\":{\"status\":\"Canceled\"}}";
        ask("wanda", alter, "{\"actions\":[" + set + "]}").ok();
        refused(ask("wanda", alter, "{\"actions\":[" + cancel + "]}"), 403, 15);
        refused(ask("wanda", alter, "{\"actions\":[" + set + "," + cancel + "]}"), 403, 15);
        refused(ask("rita", alter, "{\"actions\":[" + set + "]}"), 403, 15);
        // It has happened, which is told to who may cancel.
        refused(ask("olga", alter, "{\"actions\":[" + cancel + "]}"), 409, 14);
    }

    @Test
    void whoMayGiveARungInAProjectTakesItBack() {
        catalog.grant("sec", "security_admin", AccessObject.project("acme"));
        String members = "/v1/projects/acme/members";
        catalog.as("sec")
                .put(members, "{\"principal\":\"user:rob\",\"rung\":\"role_creator\"}")
                .ok();
        catalog.as("sec")
                .delete(members + "?principal=user:rob&rung=role_creator")
                .ok();
        assertThat(catalog.as("olga").get(members).text()).doesNotContain("user:rob");
        refused(catalog.as("sec").delete(members + "?principal=user:olga&rung=admin"), 403, 15);
        refused(catalog.as("olga").delete(members + "?principal=user:rob&rung=none"), 400, 13);
        refused(catalog.as("olga").delete(members + "?principal=user:rob"), 400, 13);
    }
}
