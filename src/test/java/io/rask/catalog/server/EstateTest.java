package io.rask.catalog.server;

import static io.rask.catalog.server.GovernedCatalog.namespace;
import static io.rask.catalog.server.GovernedCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Edges;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.estate.Reconciliation;
import io.rask.catalog.estate.Report;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.NamelessRights;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the engine says against what is there, on a real permission engine; and namespaces that are taken over with all in them. */
class EstateTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    /** So long for the engine that it knows a hash only. */
    private static final String LONG = "\u00e4".repeat(60);

    private static GovernedCatalog catalog;

    @BeforeAll
    static void start() {
        catalog = new GovernedCatalog(
                OpenFga.shared(),
                Map.of(
                        "lance.fga.cache-ttl", "0s",
                        "lance.fga.cascade-writers", "loader",
                        "lance.trash-grace-days", "1",
                        "lance.jobs.worker", "none"));
        catalog.makeNamespace("olga", "acme", "lake", "shop");
        catalog.makeNamespace("olga", "acme", "lake-shut", "kept");
    }

    @AfterAll
    static void stop() {
        if (catalog != null) {
            catalog.close();
        }
    }

    /** Whatever a test has made differ, it has mended. */
    @AfterEach
    void nothingDiffersAnyMore() {
        Report report = look();
        assertThat(report.isWhole()).as(report.toString()).isTrue();
        assertThat(report.isClean()).as(report.toString()).isTrue();
    }

    private static Report run(boolean repair, @Nullable String owner, Consumer<String> progress) {
        return catalog.server()
                .bean(Reconciliation.class)
                .run(new Reconciliation.Wish(repair, owner, Duration.ofMillis(20)), progress);
    }

    private static Report look() {
        return run(false, null, text -> {});
    }

    private static Report repair() {
        return run(true, null, text -> {});
    }

    private static String fresh(String kind) {
        return kind + "-" + NAMES.incrementAndGet();
    }

    private static String path(String... segments) {
        return "/v1/table/" + RunningServer.id(segments);
    }

    private static int status(String user, String address) {
        return catalog.as(user).post(address, "{}").status();
    }

    private static String declared(String... segments) {
        catalog.as("olga").post(path(segments) + "/declare", "{}").ok();
        return ObjectNames.of(table(segments));
    }

    private static List<Tuple> facts(AccessObject object) {
        return catalog.engine().of(ObjectNames.of(object));
    }

    private static void write(Tuple... facts) {
        catalog.engine().write(List.of(facts), List.of());
    }

    private static void take(Tuple... facts) {
        catalog.engine().write(List.of(), List.of(facts));
    }

    private static StorageProfile home() {
        return catalog.server().bean(Locator.class).ofWarehouse("lake");
    }

    /** Rows as another tool writes them. */
    private static void put(ManifestEntry... rows) {
        catalog.server()
                .bean(Manifests.class)
                .commit(home().root(), view -> new ManifestChange.Plan(List.of(rows), List.of(), List.of()));
    }

    @Test
    void whatIsAsItShouldBeIsCountedAsZeroInTheTrashAndInShutWarehousesToo() {
        String name = fresh("trashed");
        declared("kept", name);
        declared("kept", fresh("there"));
        declared("shop", LONG);
        catalog.as("olga").post(path("kept", name) + "/drop", "{}").ok();
        catalog.as("olga").post("/v1/warehouses/lake-shut/deactivate").ok();
        Report report = look();
        assertThat(report.categories())
                .allSatisfy(category ->
                        assertThat(category.count()).as(category.toString()).isZero());
        assertThat(report.facts()).isGreaterThan(10);
        catalog.as("olga").post("/v1/warehouses/lake-shut/activate").ok();
    }

    @Test
    void aRoleIsComparedTooWithWhatItWasGiven() {
        String live = fresh("live");
        declared("shop", live);
        catalog.as("olga")
                .post("/v1/projects/acme/roles", "{\"role\":\"analysts\"}")
                .ok();
        AccessObject there = AccessObject.role(new RoleName("acme", "analysts"));
        AccessObject gone = AccessObject.role(new RoleName("acme", "gone"));
        Tuple given = new Tuple(ObjectNames.of(gone) + "#assignee", "reader", ObjectNames.of(table("shop", live)));
        Tuple edge = Edges.of(there, AccessObject.project("acme"));
        catalog.engine().write(List.of(given, new Tuple("user:gus", "assignee", ObjectNames.of(gone))), List.of(edge));
        Report seen = look();
        assertThat(seen.category("ghost_roles").found()).containsExactly(ObjectNames.of(gone));
        assertThat(seen.category("ungoverned_roles").found()).containsExactly(ObjectNames.of(there));
        assertThat(repair().isClean()).isTrue();
        assertThat(facts(gone)).isEmpty();
        assertThat(facts(table("shop", live))).doesNotContain(given);
        assertThat(facts(there)).contains(edge);
    }

    @Test
    void factsOfWhatIsNotThereAreNamedAndGoAloneAndOnlyWhenAsked() {
        String live = fresh("live");
        declared("shop", live);
        catalog.grant("rita", "reader", table("shop", live));
        List<Tuple> before = facts(table("shop", live));
        List<AccessObject> ghosts = List.of(
                table("shop", "gone"),
                table("shop", "gone-space", "deep"),
                namespace("shop", "gone-space"),
                namespace("nowhere"),
                table("nowhere", "t"),
                table("shop", "y" + LONG),
                AccessObject.warehouse("lake-gone"),
                AccessObject.project("gone-project"));
        List<Tuple> said = new ArrayList<>();
        ghosts.forEach(ghost -> said.add(new Tuple(
                "user:gus", ghost.kind() == AccessObject.Kind.PROJECT ? "member" : "owner", ObjectNames.of(ghost))));
        said.add(Edges.of(table("shop", "gone"), namespace("shop")));
        said.add(Edges.of(namespace("nowhere"), AccessObject.warehouse("lake-gone")));
        said.add(Edges.of(AccessObject.view(ObjectId.of("shop", live)), table("shop", live)));
        catalog.engine().write(said, List.of());
        Report seen = look();
        assertThat(seen.category("ghost_tables").count()).isEqualTo(4);
        assertThat(seen.category("ghost_tables").found()).contains("table:shop$gone");
        assertThat(seen.category("ghost_namespaces").count()).isEqualTo(2);
        assertThat(seen.category("ghost_warehouses").found()).containsExactly("warehouse:lake-gone");
        assertThat(seen.category("ghost_projects").found()).containsExactly("project:gone-project");
        assertThat(seen.category("ghost_views").count()).isEqualTo(1);
        assertThat(seen.isClean()).isFalse();
        ghosts.forEach(ghost -> assertThat(facts(ghost)).isNotEmpty());
        Report mended = repair();
        assertThat(mended.isClean()).as(mended.toString()).isTrue();
        assertThat(mended.category("ghost_tables").repaired()).isEqualTo(4);
        ghosts.forEach(ghost -> assertThat(facts(ghost)).as(ghost.toString()).isEmpty());
        assertThat(facts(table("shop", live))).containsExactlyInAnyOrderElementsOf(before);
        declared("shop", "gone");
        assertThat(status("gus", path("shop", "gone") + "/exists")).isEqualTo(403);
    }

    @Test
    void whatLostItsPlaceGetsItBackAndIsOwnedByWhoOwnsWhatIsAbove() {
        String space = fresh("space");
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", space) + "/create", "{}")
                .ok();
        declared("shop", space, "t");
        facts(namespace("shop", space)).forEach(EstateTest::take);
        facts(table("shop", space, "t")).forEach(EstateTest::take);
        catalog.grant("wanda", "owner", namespace("shop"));
        assertThat(status("wanda", path("shop", space, "t") + "/exists")).isEqualTo(403);
        Report seen = look();
        assertThat(seen.category("ungoverned_tables").found()).containsExactly("table:shop$" + space + "$t");
        assertThat(seen.category("ungoverned_namespaces").count()).isEqualTo(1);
        assertThat(repair().isClean()).isTrue();
        assertThat(status("wanda", path("shop", space, "t") + "/exists")).isEqualTo(200);
        assertThat(status("stranger", path("shop", space, "t") + "/exists")).isEqualTo(403);
        assertThat(facts(table("shop", space, "t")))
                .containsExactly(Edges.of(table("shop", space, "t"), namespace("shop", space)));
    }

    @Test
    void anOwnerIsNamedOnlyAtTheTopOfWhatLostItsPlace() {
        String space = fresh("space");
        catalog.as("olga")
                .post("/v1/namespace/" + RunningServer.id("shop", space) + "/create", "{}")
                .ok();
        declared("shop", space, "t");
        facts(namespace("shop", space)).forEach(EstateTest::take);
        facts(table("shop", space, "t")).forEach(EstateTest::take);
        assertThat(run(true, "nora", text -> {}).isClean()).isTrue();
        assertThat(status("nora", path("shop", space, "t") + "/exists")).isEqualTo(200);
        assertThat(facts(table("shop", space, "t"))).hasSize(1);
        assertThat(facts(namespace("shop", space)))
                .contains(new Tuple("user:nora", "owner", ObjectNames.of(namespace("shop", space))));
    }

    @Test
    void anEdgeThatLeadsElsewhereIsReplaced() {
        String name = fresh("moved");
        declared("shop", name);
        Tuple right = Edges.of(table("shop", name), namespace("shop"));
        Tuple wrong = Edges.of(table("shop", name), namespace("kept"));
        take(right);
        write(wrong);
        assertThat(look().category("wrong_edges").found()).containsExactly(right.object());
        assertThat(repair().isClean()).isTrue();
        assertThat(facts(table("shop", name))).contains(right).doesNotContain(wrong);
    }

    @Test
    void aWarehouseThatCannotBeReadMakesNoGhosts() throws IOException {
        String name = fresh("unseen");
        String object = declared("kept", name);
        write(new Tuple("user:gus", "owner", "table:kept$gone"));
        Path root = ((StoreUri.Folder) catalog.server()
                        .bean(Locator.class)
                        .ofWarehouse("lake-shut")
                        .place())
                .path();
        Files.move(root.resolve("__manifest"), root.resolve("aside"));
        Report report = repair();
        Files.move(root.resolve("aside"), root.resolve("__manifest"));
        assertThat(report.isWhole()).isFalse();
        assertThat(report.category("ghost_tables").count()).isNull();
        assertThat(report.category("ghost_tables").unchecked()).contains("lake-shut");
        assertThat(report.category("ghost_tables").repaired()).isZero();
        assertThat(report.category("ghost_projects").count()).isZero();
        assertThat(facts(table("kept", name))).isNotEmpty();
        assertThat(object).isNotEmpty();
        assertThat(repair().category("ghost_tables").repaired()).isEqualTo(1);
    }

    @Test
    void whatIsBeingMadeRenamedOrDroppedDuringALookIsNotTakenForADifference() {
        String soon = fresh("soon");
        String leaving = fresh("leaving");
        declared("shop", leaving);
        // As a rename does it: what is said comes before the name.
        write(new Tuple("user:olga", "owner", "table:shop$" + soon));
        List<Tuple> last = facts(table("shop", leaving));
        last.forEach(EstateTest::take);
        Report report = run(true, null, text -> {
            if (text.startsWith("Something differs")) {
                declared("shop", soon);
                last.forEach(EstateTest::write);
            }
        });
        assertThat(report.categories())
                .allSatisfy(category ->
                        assertThat(category.count()).as(category.toString()).isZero());
        assertThat(facts(table("shop", soon))).hasSize(2);
    }

    @Test
    void nothingIsTakenFromANameThatSomethingHasOrThatSomethingLiesIn() {
        String space = fresh("space");
        String name = fresh("made");
        declared("shop", name);
        put(ManifestEntry.namespace("shop$" + space + "$deep", null));
        write(new Tuple("user:olga", "owner", "namespace:shop$" + space));
        List<Tuple> before = facts(table("shop", name));
        List<ManifestEntry> ended = catalog.server()
                .bean(NamelessRights.class)
                .end(
                        home(),
                        List.of(
                                ManifestEntry.nameOfTable("shop$" + name),
                                ManifestEntry.namespace("shop$" + space, null)));
        assertThat(ended).isEmpty();
        assertThat(facts(table("shop", name))).containsExactlyInAnyOrderElementsOf(before);
        assertThat(facts(namespace("shop", space))).hasSize(1);
        assertThat(repair().category("ungoverned_namespaces").repaired()).isEqualTo(1);
    }

    @Test
    void aProjectThatNobodyAdministersIsToldAndGetsTheOneWhoIsNamed() {
        String project = fresh("project");
        catalog.as(GovernedCatalog.ADMIN)
                .post("/v1/projects", "{\"id\":\"" + project + "\"}")
                .ok();
        facts(AccessObject.project(project)).stream()
                .filter(fact -> fact.relation().equals("admin"))
                .forEach(EstateTest::take);
        assertThat(repair().category("unowned_projects").left()).isEqualTo(1);
        assertThat(run(true, "nora", text -> {}).category("unowned_projects").repaired())
                .isEqualTo(1);
        assertThat(facts(AccessObject.project(project)))
                .contains(new Tuple("user:nora", "admin", "project:" + project));
    }

    @Test
    void nobodyIsMadeAdministratorOfAProjectThatHasOneByThenOrIsGone() {
        List<String> projects = List.of(fresh("headed"), fresh("left"));
        for (String project : projects) {
            catalog.as(GovernedCatalog.ADMIN)
                    .post("/v1/projects", "{\"id\":\"" + project + "\"}")
                    .ok();
            facts(AccessObject.project(project)).stream()
                    .filter(fact -> fact.relation().equals("admin"))
                    .forEach(EstateTest::take);
        }
        String untied = declared("shop", fresh("untied"));
        Tuple edge = new Tuple("namespace:shop", "parent", untied);
        take(edge);
        Tuple other = new Tuple("user:hugo", "admin", "project:" + projects.getFirst());
        // What is told between the ties and the administrators is later than both looks.
        run(true, "nora", text -> {
            if (text.endsWith("objects tied")) {
                write(other);
                catalog.server()
                        .bean(ProjectRegistry.class)
                        .delete(
                                projects.getLast(),
                                true,
                                "olga",
                                List::of,
                                () -> facts(AccessObject.project(projects.getLast()))
                                        .forEach(EstateTest::take));
            }
        });
        assertThat(facts(AccessObject.project(projects.getFirst())))
                .filteredOn(fact -> fact.relation().equals("admin"))
                .containsExactly(other);
        assertThat(facts(AccessObject.project(projects.getLast()))).isEmpty();
    }

    @Test
    void aRoleAndAWarehouseThatLostTheirPlaceComeBackAsTheyWereMade() {
        String role = fresh("role");
        String warehouse = fresh("lake");
        catalog.as("olga")
                .post("/v1/projects/acme/roles", "{\"role\":\"" + role + "\"}")
                .ok();
        catalog.as("olga")
                .post("/v1/warehouses", "{\"id\":\"" + warehouse + "\",\"project\":\"acme\"}")
                .ok();
        AccessObject ofRole = AccessObject.role(new RoleName("acme", role));
        AccessObject ofWarehouse = AccessObject.warehouse(warehouse);
        List<Tuple> roleWas = facts(ofRole);
        facts(ofRole).forEach(EstateTest::take);
        facts(ofWarehouse).forEach(EstateTest::take);
        assertThat(run(true, "nora", text -> {}).isClean()).isTrue();
        assertThat(facts(ofRole)).containsExactlyElementsOf(roleWas);
        assertThat(facts(ofWarehouse))
                .containsExactlyInAnyOrder(
                        Edges.of(ofWarehouse, AccessObject.project("acme")),
                        new Tuple("user:nora", "owner", ObjectNames.of(ofWarehouse)),
                        new Tuple("user:loader", "writer", ObjectNames.of(ofWarehouse)));
    }

    private static void taken(String top) {
        put(
                ManifestEntry.namespace(top, null),
                ManifestEntry.namespace(top + "$in", null),
                ManifestEntry.table(top + "$in$t", "place-" + top, null));
    }

    private static String adopt(String top) {
        return catalog.as("olga")
                .post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + top + "\",\"adopt_existing\":true}")
                .ok()
                .text();
    }

    @Test
    void aNamespaceThatIsTakenOverComesWithWhatLiesInIt() {
        String top = fresh("found");
        taken(top);
        write(new Tuple("user:gus", "owner", "table:" + top + "$in$t"));
        adopt(top);
        assertThat(status("olga", path(top, "in", "t") + "/exists")).isEqualTo(200);
        assertThat(status("gus", path(top, "in", "t") + "/exists")).isEqualTo(403);
        assertThat(facts(table(top, "in", "t"))).containsExactly(Edges.of(table(top, "in", "t"), namespace(top, "in")));
        catalog.grant("rita", "reader", table(top, "in", "t"));
        adopt(top);
        assertThat(status("rita", path(top, "in", "t") + "/exists")).isEqualTo(200);
    }

    @Test
    void aTakeOverThatACrashEndedIsFinishedByARepeatOfItsMakerAlone() {
        String top = fresh("crashed");
        taken(top);
        TopLevelNamespaces topLevel = catalog.server().bean(TopLevelNamespaces.class);
        assertThat(topLevel.create("lake", top, Map.of(), true, "olga").isMine())
                .isTrue();
        catalog.grant("wanda", "writer", AccessObject.warehouse("lake"));
        catalog.as("wanda")
                .post("/v1/warehouses/lake/namespaces", "{\"namespace\":\"" + top + "\",\"adopt_existing\":true}")
                .ok();
        assertThat(facts(namespace(top))).isEmpty();
        adopt(top);
        assertThat(status("olga", path(top, "in", "t") + "/exists")).isEqualTo(200);
        assertThat(facts(namespace(top))).contains(new Tuple("user:olga", "owner", "namespace:" + top));
    }

    @Test
    void aRepeatAfterOnlyTheNoteWasLostTakesNothingThatWasGivenSince() {
        String top = fresh("noted");
        TopLevelNamespaces topLevel = catalog.server().bean(TopLevelNamespaces.class);
        assertThat(topLevel.create("lake", top, Map.of(), false, "olga").isMine())
                .isTrue();
        catalog.server()
                .bean(Ownership.class)
                .made(Principal.of("olga", Principal.Means.TOKEN), namespace(top), AccessObject.warehouse("lake"));
        declared(top, "t");
        catalog.grant("rita", "reader", namespace(top));
        adopt(top);
        assertThat(status("rita", path(top, "t") + "/exists")).isEqualTo(200);
        assertThat(facts(table(top, "t"))).contains(new Tuple("user:olga", "owner", "table:" + top + "$t"));
    }

    @Test
    void whatIsBeingUnboundIsNotTiedAgain() {
        String top = fresh("shut");
        taken(top);
        adopt(top);
        Records records = catalog.server().bean(Records.class);
        RecordKey binding = RecordKey.of("_warehouses/bindings", RecordKey.hashed("namespace", top));
        // As an unbinding leaves it that was cut off after it had taken the rights back.
        records.mutate(binding, content -> content.put("shut", true));
        facts(namespace(top)).forEach(EstateTest::take);
        facts(table(top, "in", "t")).forEach(EstateTest::take);
        assertThat(repair().isClean()).isTrue();
        assertThat(facts(namespace(top))).isEmpty();
        assertThat(facts(table(top, "in", "t"))).isEmpty();
    }
}
