package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.Manifests;
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
        catalog = new GovernedCatalog(OpenFga.shared(), Map.of("lance.fga.cache-ttl", "0s"));
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
}
