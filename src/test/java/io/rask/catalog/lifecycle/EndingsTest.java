package io.rask.catalog.lifecycle;

import static io.rask.catalog.testing.RunningServer.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.access.Principal;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobClaims;
import io.rask.catalog.job.JobEvents;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.job.JobState;
import io.rask.catalog.job.JobWorker;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.RunningServer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drops where rights are kept of objects: nobody ever gets a name together with the rights of others on it. */
class EndingsTest {
    @TempDir
    static Path folder;

    private static RunningServer server;

    private final Rights rights = new Rights();
    private final Endings endings;
    private final Drops drops;

    EndingsTest() {
        endings = new Endings(rights, server.bean(Manifests.class));
        drops = new Drops(
                server.bean(Manifests.class),
                server.bean(DeletionCheck.class),
                server.bean(Protections.class),
                server.bean(KeptBytes.class),
                server.bean(ByteDeletions.class),
                server.bean(JobRegistry.class),
                endings,
                server.bean(TrashRecords.class),
                server.bean(CatalogProperties.class));
    }

    /** Rights kept in memory, of an engine that can be down. */
    private static final class Rights implements Ownership {
        private final Set<String> revoked = new ConcurrentSkipListSet<>();
        private final Set<String> moved = new ConcurrentSkipListSet<>();
        private Consumer<Collection<AccessObject>> before = gone -> {};

        @Override
        public void made(Principal maker, AccessObject object, AccessObject parent) {
            throw new AssertionError("a drop makes nothing");
        }

        @Override
        public void cleared(AccessObject object, BooleanSupplier isFree) {
            throw new AssertionError("a drop makes nothing");
        }

        @Override
        public void owned(Principal maker, AccessObject object, AccessObject parent) {
            throw new AssertionError("a drop makes nothing");
        }

        @Override
        public int ended(Collection<AccessObject> gone) {
            before.accept(gone);
            gone.forEach(object -> revoked.add(object.kind().type() + ":" + object.id()));
            return gone.size();
        }

        @Override
        public void moving(AccessObject from, AccessObject to, AccessObject newParent) {
            moved.add(from.id() + " to " + to.id() + " in " + newParent.id());
        }

        @Override
        public void stayed(AccessObject from, AccessObject to) {
            throw new AssertionError("an undrop that is refused moved nothing");
        }
    }

    @BeforeAll
    static void start() {
        server = RunningServer.on(folder, Map.of("lance.jobs.worker", "none", "lance.jobs.backoff", "100ms"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static StorageProfile home(String space) {
        return server.bean(Locator.class).locate(ObjectId.of(space)).orElseThrow();
    }

    private static Path create(String space) {
        server.makeNamespace("acme", "lake-" + space, space);
        String table = "/v1/table/" + id(space, "t");
        server.arrow(table + "/create", ArrowStreams.longs("id", 1)).ok();
        return Clones.folder(
                server.post(table + "/describe").ok().json().path("location").asString());
    }

    private void drop(String space) {
        drops.drop(
                home(space),
                view -> view.namespace(space).map(top -> Subtree.of(view, top)).orElse(List.of()),
                false,
                () -> server.bean(TopLevelNamespaces.class).forget(space));
    }

    private static int declare(String space, String name) {
        return server.post("/v1/table/" + id(space, name) + "/declare").code();
    }

    @Test
    void aDropTakesTheRightsBackWhileTheNameIsTakenAndTheBytesAreThere() {
        Path bytes = create("first");
        rights.before = gone -> {
            assertThat(server.post("/v1/table/" + id("first", "t") + "/exists").code())
                    .isEqualTo(4);
            assertThat(server.post("/v1/warehouses/lake-first/namespaces", "{\"namespace\":\"first\"}")
                            .code())
                    .isEqualTo(14);
            assertThat(bytes).isDirectory();
        };
        drop("first");
        assertThat(rights.revoked).containsExactly("namespace:first", "table:first$t");
        assertThat(bytes).doesNotExist();
        assertThat(server.bean(JobRegistry.class).open()).isEmpty();
        server.makeNamespace("acme", "lake-first", "first");
        assertThat(declare("first", "t")).isEqualTo(-1);
    }

    @Test
    void whatAnEngineDoesNotTakeIsTakenBackByAWorkerBeforeTheNameIsFree() throws Exception {
        Path bytes = create("second");
        rights.before = gone -> {
            throw CatalogException.unavailable("The engine is down.", null);
        };
        drop("second");
        assertThat(server.post("/v1/namespace/second/exists").code()).isEqualTo(1);
        assertThat(server.post("/v1/warehouses/lake-second/namespaces", "{\"namespace\":\"second\"}")
                        .code())
                .isEqualTo(14);
        assertThat(server.post("/v1/namespace/second/drop", "{\"mode\":\"skip\"}")
                        .code())
                .isEqualTo(-1);
        assertThat(server.post("/v1/warehouses/lake-second/namespaces", "{\"namespace\":\"second\"}")
                        .code())
                .isEqualTo(14);
        assertThat(bytes).isDirectory();
        rights.before = gone -> {
            if (gone.stream().anyMatch(object -> object.kind() == AccessObject.Kind.TABLE)) {
                assertThat(bytes).isDirectory();
            }
        };
        finish();
        assertThat(rights.revoked).contains("namespace:second", "table:second$t");
        assertThat(bytes).doesNotExist();
        server.makeNamespace("acme", "lake-second", "second");
        assertThat(declare("second", "t")).isEqualTo(-1);
    }

    private void finish() throws InterruptedException {
        DeleteBytes kind = new DeleteBytes(
                server.bean(Locator.class),
                server.bean(Manifests.class),
                server.bean(TableRemoval.class),
                endings,
                server.bean(TopLevelNamespaces.class),
                server.bean(Protections.class),
                server.bean(TrashRecords.class));
        JobWorker worker = new JobWorker(
                server.bean(JobClaims.class),
                server.bean(JobEvents.class),
                server.bean(Clock.class),
                server.bean(CatalogProperties.class),
                List.of(kind),
                "endings");
        Thread running = Thread.ofPlatform().daemon().start(() -> {
            try {
                worker.run(null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        JobRegistry jobs = server.bean(JobRegistry.class);
        for (Job open : jobs.open()) {
            worker.wake();
            assertThat(jobs.await(open, Duration.ofSeconds(30)).state()).isEqualTo(JobState.DONE);
        }
        worker.stop();
        running.join(Duration.ofSeconds(30));
    }

    @Test
    void aDeregistrationTakesTheRightsBackAndKeepsTheBytes() {
        Path bytes = create("third");
        server.bean(KeptBytes.class).keep(home("third"), String.valueOf(bytes.getFileName()));
        drops.release(home("third"), view -> List.of(view.table("third$t").orElseThrow()), false);
        assertThat(rights.revoked).containsExactly("table:third$t");
        assertThat(bytes).isDirectory();
        assertThat(server.bean(JobRegistry.class).open()).isEmpty();
        assertThat(declare("third", "t")).isEqualTo(-1);
    }

    @Test
    void aDropThatIsRefusedTakesNothingBack() {
        create("fourth");
        server.post("/v1/table/" + id("fourth", "t") + "/protection", "{\"protected\":true}")
                .ok();
        assertThatThrownBy(() -> drop("fourth")).isInstanceOf(CatalogException.class);
        assertThat(rights.revoked).isEmpty();
        assertThat(server.bean(JobRegistry.class).open()).isEmpty();
    }

    @Test
    void theTrashKeepsTheRightsAndAnUndropSeedsNothing() {
        create("fifth");
        ObjectId id = ObjectId.of("fifth").child("t");
        Undrops undrops = new Undrops(
                server.bean(Trash.class),
                server.bean(TrashRecords.class),
                server.bean(Manifests.class),
                server.bean(DatasetHeads.class),
                server.bean(TrashRecords.class),
                server.bean(TopLevelNamespaces.class),
                server.bean(Locator.class),
                rights);
        trash("fifth");
        undrops.table(id, id);
        assertThat(rights.revoked).isEmpty();
        assertThat(rights.moved).isEmpty();
        trash("fifth");
        undrops.table(id, ObjectId.of("fifth").child("u"));
        assertThat(rights.moved).containsExactly("fifth$t to fifth$u in fifth");
        assertThat(rights.revoked).containsExactly("table:fifth$t");
    }

    private static void trash(String space) {
        server.bean(Trashing.class)
                .drop(
                        home(space),
                        view -> List.of(view.table(space + "$t").orElseThrow()),
                        new DropWish(false, false, "ann"),
                        server.bean(Clock.class).instant().plus(Duration.ofDays(1)),
                        () -> {});
    }

    @Test
    void aWorkerThatEndsWhatAnEngineHeldUpLeavesTheBytesThatAreToStay() throws Exception {
        Path bytes = create("sixth");
        trash("sixth");
        rights.before = gone -> {
            throw CatalogException.unavailable("The engine is down.", null);
        };
        drops.release(home("sixth"), view -> List.of(view.find("sixth$t").orElseThrow()), true);
        rights.before = gone -> {};
        finish();
        assertThat(rights.revoked).contains("table:sixth$t");
        assertThat(bytes).isDirectory();
        assertThat(declare("sixth", "t")).isEqualTo(-1);
    }

    @Test
    void namesAreFreedWhereRightsAreKeptNoLonger() {
        create("seventh");
        rights.before = gone -> {
            throw CatalogException.unavailable("The engine is down.", null);
        };
        drop("seventh");
        Manifests manifests = server.bean(Manifests.class);
        StorageProfile home = home("seventh");
        List<ManifestEntry> ending = manifests.view(home.root()).rows(ManifestEntry::isEnding);
        assertThat(ending).hasSize(2);
        server.bean(Endings.class).finish(home, ending);
        assertThat(manifests.view(home.root()).rows(any -> true)).isEmpty();
        server.bean(JobRegistry.class)
                .open()
                .forEach(job -> server.bean(JobRegistry.class).withdraw(job.id()));
    }
}
