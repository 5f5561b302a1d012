package io.rask.catalog.lifecycle;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.CountingProxy;
import io.rask.catalog.testing.CountingProxy.Fate;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.Workers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
        assertThat(ours.isReserved()).isTrue();
        server.bean(Endings.class).finish(home, List.of(theirs));
        assertThat(declare("eighth", "u")).isEqualTo(-1);
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
