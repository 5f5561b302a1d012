package io.rask.catalog.lifecycle;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobSpec;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.CountingProxy.Fate;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drops where a permission engine keeps rights of objects: nobody ever gets a name together with the rights of others on it. */
class EndingsTest {
    private static final String USER = "olga";

    @TempDir
    static Path folder;

    private static CountingProxy proxy;
    private static RunningServer started;
    private static RunningServer server;

    @BeforeAll
    static void start() {
        OpenFga engine = OpenFga.shared();
        proxy = new CountingProxy(engine.uri());
        Map<String, String> settings = new HashMap<>(engine.settings());
        settings.put("lance.fga.api-url", proxy.uri().toString());
        settings.put("lance.fga.cache-ttl", "0s");
        settings.put("lance.fga.timeout-seconds", "2");
        settings.put("lance.bootstrap.administrator", USER);
        settings.put("lance.jobs.worker", "none");
        settings.put("lance.jobs.backoff", "100ms");
        settings.put("lance.jobs.poll", "100ms");
        started = RunningServer.on(folder, settings, HeaderIdentification.class);
        started.awaitReady();
        server = started.asking(HeaderIdentification.USER, USER);
    }

    @AfterEach
    void heal() {
        if (proxy != null) {
            proxy.heal();
        }
    }

    @AfterAll
    static void stop() {
        if (started != null) {
            started.close();
        }
        if (proxy != null) {
            proxy.close();
        }
    }

    private static StorageProfile home(String space) {
        return server.bean(Locator.class).locate(ObjectId.of(space)).orElseThrow();
    }

    private static String table(String space) {
        return "/v1/table/" + id(space, "t");
    }

    private static Path create(String space) {
        server.makeNamespace("acme", "lake-" + space, space);
        server.arrow(table(space) + "/create", ArrowStreams.longs("id", 1)).ok();
        return Clones.folder(server.post(table(space) + "/describe", "{}")
                .ok()
                .json()
                .path("location")
                .asString());
    }

    private static void drop(String space) {
        server.post("/v1/namespace/" + space + "/drop", "{\"behavior\":\"cascade\"}")
                .ok();
    }

    private static int declare(String space, String name) {
        return server.post("/v1/table/" + id(space, name) + "/declare", "{}").code();
    }

    private static int bind(String space) {
        return server.post("/v1/warehouses/lake-" + space + "/namespaces", "{\"namespace\":\"" + space + "\"}")
                .code();
    }

    private static List<Tuple> factsOfTable(String space) {
        return facts(AccessObject.table(ObjectId.of(space, "t")));
    }

    private static List<Tuple> factsOf(String space) {
        return facts(AccessObject.namespace(ObjectId.of(space)));
    }

    private static List<Tuple> facts(AccessObject object) {
        return server.bean(PermissionEngine.class).of(ObjectNames.of(object));
    }

    /** Lets the engine take no change. */
    private static void failWrites() {
        proxy.meddle(path -> CountingProxy.isWrite(path) ? Fate.REFUSE : Fate.PASS);
    }

    @Test
    void aDropTakesTheRightsBackWhileTheNameIsTakenAndTheBytesAreThere() {
        Path bytes = create("first");
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        proxy.meddle(path -> {
            if (CountingProxy.isWrite(path)) {
                seen.add("exists "
                        + server.post(table("first") + "/exists", "{}").status() + ", name " + bind("first")
                        + ", bytes " + Files.isDirectory(bytes));
            }
            return Fate.PASS;
        });
        drop("first");
        assertThat(seen)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each).matches("exists 40[34], name 14, bytes true"));
        proxy.heal();
        assertThat(factsOf("first")).isEmpty();
        assertThat(factsOfTable("first")).isEmpty();
        assertThat(bytes).doesNotExist();
        assertThat(server.bean(JobRegistry.class).open()).isEmpty();
        server.makeNamespace("acme", "lake-first", "first");
        assertThat(declare("first", "t")).isEqualTo(-1);
    }

    @Test
    void whatAnEngineDoesNotTakeIsTakenBackByAWorkerBeforeTheNameIsFree() {
        Path bytes = create("second");
        failWrites();
        drop("second");
        assertThat(server.post("/v1/namespace/second/exists", "{}").status()).isEqualTo(404);
        assertThat(bind("second")).isEqualTo(14);
        assertThat(server.post("/v1/namespace/second/drop", "{\"mode\":\"skip\"}")
                        .code())
                .isEqualTo(-1);
        assertThat(bind("second")).isEqualTo(14);
        assertThat(bytes).isDirectory();
        assertThat(factsOfTable("second")).isNotEmpty();
        Queue<Boolean> there = new ConcurrentLinkedQueue<>();
        proxy.meddle(path -> {
            if (CountingProxy.isWrite(path)) {
                there.add(Files.isDirectory(bytes) && bind("second") == 14);
            }
            return Fate.PASS;
        });
        Workers.finish(server);
        assertThat(there).isNotEmpty().first().isEqualTo(true);
        proxy.heal();
        assertThat(factsOf("second")).isEmpty();
        assertThat(factsOfTable("second")).isEmpty();
        assertThat(bytes).doesNotExist();
        server.makeNamespace("acme", "lake-second", "second");
        assertThat(declare("second", "t")).isEqualTo(-1);
    }

    @Test
    void aDeregistrationTakesTheRightsBackAndKeepsTheBytes() {
        Path bytes = create("third");
        server.post(table("third") + "/deregister", "{}").ok();
        assertThat(factsOfTable("third")).isEmpty();
        assertThat(bytes).isDirectory();
        assertThat(server.bean(JobRegistry.class).open()).isEmpty();
        assertThat(declare("third", "t")).isEqualTo(-1);
    }

    @Test
    void aDropThatIsRefusedTakesNothingBack() {
        create("fourth");
        server.post(table("fourth") + "/protection", "{\"protected\":true}").ok();
        List<Tuple> before = factsOfTable("fourth");
        assertThat(server.post("/v1/namespace/fourth/drop", "{\"behavior\":\"cascade\"}")
                        .code())
                .isEqualTo(19);
        assertThat(before).isNotEmpty();
        assertThat(factsOfTable("fourth")).containsExactlyInAnyOrderElementsOf(before);
        assertThat(server.bean(JobRegistry.class).open()).isEmpty();
    }

    @Test
    void theTrashKeepsTheRightsAndAnUndropSeedsNothing() {
        create("fifth");
        List<Tuple> before = factsOfTable("fifth");
        ObjectId id = ObjectId.of("fifth", "t");
        trash("fifth");
        assertThat(factsOfTable("fifth")).containsExactlyInAnyOrderElementsOf(before);
        proxy.reset();
        server.bean(Undrops.class).table(id, id);
        assertThat(proxy.paths()).isEmpty();
        trash("fifth");
        server.bean(Undrops.class).table(id, ObjectId.of("fifth", "u"));
        assertThat(factsOfTable("fifth")).isEmpty();
        assertThat(facts(AccessObject.table(ObjectId.of("fifth", "u"))))
                .extracting(Tuple::user)
                .containsExactlyInAnyOrderElementsOf(
                        before.stream().map(Tuple::user).toList());
        assertThat(server.bean(JobRegistry.class).open()).isEmpty();
        assertThat(declare("fifth", "t")).isEqualTo(-1);
    }

    private static void trash(String space) {
        server.bean(Trashing.class)
                .drop(
                        home(space),
                        view -> List.of(view.table(space + "$t").orElseThrow()),
                        new DropWish(false, false, USER),
                        server.bean(Clock.class).instant().plus(Duration.ofDays(1)),
                        () -> {});
    }

    @Test
    void aWorkerThatEndsWhatAnEngineHeldUpLeavesTheBytesThatAreToStay() {
        Path bytes = create("sixth");
        trash("sixth");
        failWrites();
        server.bean(Drops.class)
                .release(home("sixth"), view -> List.of(view.find("sixth$t").orElseThrow()), true);
        assertThat(declare("sixth", "t")).isEqualTo(14);
        proxy.heal();
        Workers.finish(server);
        assertThat(factsOfTable("sixth")).isEmpty();
        assertThat(bytes).isDirectory();
        assertThat(declare("sixth", "t")).isEqualTo(-1);
    }

    @Test
    void aWorkerFreesNoNameThatAnotherHasReserved() {
        create("eighth");
        Manifests manifests = server.bean(Manifests.class);
        StorageProfile home = home("eighth");
        failWrites();
        assertThat(server.post(table("eighth") + "/rename", "{\"new_table_name\":\"u\"}")
                        .code())
                .isEqualTo(17);
        proxy.heal();
        assertThat(declare("eighth", "u")).isEqualTo(14);
        ManifestEntry ours = manifests.view(home.root()).find("eighth$u").orElseThrow();
        ManifestEntry theirs = ManifestEntry.reserved("eighth$u", "another");
        manifests.commit(home.root(), view -> ManifestChange.Plan.put(theirs));
        Workers.finish(server);
        assertThat(manifests.view(home.root()).find("eighth$u")).contains(theirs);
        assertThat(ours.isHeld()).isTrue();
        server.bean(Endings.class).finish(home, List.of(theirs));
        assertThat(declare("eighth", "u")).isEqualTo(-1);
    }

    private static void put(StorageProfile home, ManifestEntry row) {
        server.bean(Manifests.class).commit(home.root(), view -> ManifestChange.Plan.put(row));
    }

    private static AccessObject given(String space, String name) {
        AccessObject table = AccessObject.table(ObjectId.of(space, name));
        Tuple fact = new Tuple("user:gus", "owner", ObjectNames.of(table));
        server.bean(PermissionEngine.class).write(List.of(fact), List.of());
        return table;
    }

    @Test
    void aNameWhoseRightsAnEngineDidNotLetGoIsFreedByAWorker() {
        create("ninth");
        StorageProfile home = home("ninth");
        AccessObject gone = given("ninth", "gone");
        List<ManifestEntry> names = List.of(ManifestEntry.nameOfTable("ninth$gone"));
        NamelessRights nameless = server.bean(NamelessRights.class);
        failWrites();
        assertThatThrownBy(() -> nameless.end(home, names)).isInstanceOf(CatalogException.class);
        assertThat(declare("ninth", "gone")).isEqualTo(14);
        assertThat(facts(gone)).isNotEmpty();
        proxy.heal();
        Workers.finish(server);
        assertThat(facts(gone)).isEmpty();
        assertThat(declare("ninth", "gone")).isEqualTo(-1);
    }

    @Test
    void aNameThatNobodyHoldsIsFreedByAnyWorker() {
        create("tenth");
        StorageProfile home = home("tenth");
        put(home, ManifestEntry.nameOfTable("tenth$old").ending());
        ending(home, "tenth$old");
        Workers.finish(server);
        assertThat(declare("tenth", "old")).isEqualTo(-1);
    }

    private static String ending(StorageProfile home, String name) {
        DeleteBytes.Spec spec = new DeleteBytes.Spec(home.place().external(), List.of(), List.of(name));
        return server.bean(JobRegistry.class)
                .submit(new JobSpec(DeleteBytes.NAME, null, null, spec, Duration.ofHours(1), true))
                .id();
    }

    @Test
    void aCascadeTakesNoRightsThatAreMovingToAnotherName() {
        create("eleventh");
        StorageProfile home = home("eleventh");
        AccessObject old = given("eleventh", "old");
        ManifestEntry left = ManifestEntry.left("eleventh$old", "another");
        put(home, left);
        drop("eleventh");
        assertThat(facts(old)).extracting(Tuple::user).containsExactly("user:gus");
        assertThat(server.bean(Manifests.class).view(home.root()).rows(any -> true))
                .containsExactly(left);
        assertThat(server.bean(Purges.class).finish(home)).isEqualTo(1);
        assertThat(facts(old)).isEmpty();
    }

    @Test
    void aWarehouseIsNotDeletedWhileRightsAreMovingInIt() {
        create("twelfth");
        StorageProfile home = home("twelfth");
        AccessObject old = given("twelfth", "old");
        put(home, ManifestEntry.left("twelfth$old", ending(home, "twelfth$old")));
        drop("twelfth");
        String lake = "/v1/warehouses/lake-twelfth";
        assertThat(server.delete(lake).code()).isEqualTo(14);
        assertThat(facts(old)).isNotEmpty();
        Workers.finish(server);
        assertThat(facts(old)).isEmpty();
        server.delete(lake).ok();
    }

    @Test
    void anUndropUnderAnotherNameIsStillToldToWhoRepeatsItWhenAWorkerHasFreedTheOldName() {
        create("thirteenth");
        StorageProfile home = home("thirteenth");
        trash("thirteenth");
        ObjectId id = ObjectId.of("thirteenth", "t");
        ObjectId to = ObjectId.of("thirteenth", "u");
        Undrops undrops = server.bean(Undrops.class);
        assertThat(undrops.table(id, to).restored()).hasSize(1);
        put(home, ManifestEntry.left(id.stored(), ending(home, id.stored())));
        Workers.finish(server);
        assertThat(server.bean(Manifests.class).view(home.root()).find(id.stored()))
                .isEmpty();
        assertThat(undrops.table(id, to).restored()).isEmpty();
    }

    @Test
    void aMarkOfKeptBytesThatCannotBeReadLetsNamespacesEnd() throws IOException {
        create("fourteenth");
        server.post(table("fourteenth") + "/deregister", "{}").ok();
        Path marks = folder.resolve("control").resolve("_kept");
        assertThat(marks).isDirectory();
        Path broken = Files.writeString(marks.resolve("location-broken.json"), "{");
        try {
            drop("fourteenth");
            assertThat(factsOf("fourteenth")).isEmpty();
            server.makeNamespace("acme", "lake-fourteenth", "fourteenth");
        } finally {
            Files.delete(broken);
        }
    }

    @Test
    void anEndOfNamespacesThatIsRefusedLateTakesNoRightsBack() {
        create("fifteenth");
        List<Tuple> before = factsOf("fifteenth");
        AtomicInteger looks = new AtomicInteger();
        assertThatThrownBy(() -> server.bean(Purges.class)
                        .end(
                                home("fifteenth"),
                                view -> {
                                    if (looks.incrementAndGet() > 1) {
                                        throw CatalogException.invalid("A table came into it.");
                                    }
                                    return view.find("fifteenth").stream().toList();
                                },
                                true))
                .hasMessageContaining("A table came into it.");
        assertThat(before).isNotEmpty();
        assertThat(factsOf("fifteenth")).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void namesAreFreedWhereRightsAreKeptNoLonger() {
        create("seventh");
        failWrites();
        drop("seventh");
        Manifests manifests = server.bean(Manifests.class);
        StorageProfile home = home("seventh");
        List<ManifestEntry> ending = manifests.view(home.root()).rows(ManifestEntry::isEnding);
        assertThat(ending).hasSize(2);
        Map<String, String> open = Map.of("lance.jobs.worker", "none");
        try (RunningServer unruled = RunningServer.on(folder, open)) {
            unruled.bean(Endings.class).finish(home, ending);
            assertThat(unruled.bean(Manifests.class).view(home.root()).rows(any -> true))
                    .isEmpty();
        }
        proxy.heal();
        Workers.finish(server);
    }
}
