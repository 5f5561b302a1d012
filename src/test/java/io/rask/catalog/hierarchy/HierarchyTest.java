package io.rask.catalog.hierarchy;

import static io.rask.catalog.testing.Hierarchy.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.hierarchy.TopLevelNamespaces.Outcome;
import io.rask.catalog.hierarchy.WarehouseCreation.Wanted;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.CatalogRoot;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.NativeCalls;
import io.rask.catalog.lance.NativeRuntime;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.testing.Hierarchy;
import io.rask.catalog.testing.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HierarchyTest {
    private static NativeRuntime runtime;
    private static NativeCalls calls;
    private static ExecutorService threads;

    @TempDir
    Path folder;

    private Hierarchy one;
    private Hierarchy two;

    @BeforeAll
    static void start() {
        runtime = new NativeRuntime(Settings.of(Map.of()));
        calls = new NativeCalls(Settings.of(Map.of()));
        threads = Executors.newFixedThreadPool(8);
    }

    @AfterAll
    static void stop() throws Exception {
        threads.shutdown();
        calls.destroy();
        runtime.destroy();
    }

    @BeforeEach
    void open() {
        one = server(Clock.systemUTC());
        two = server(Clock.systemUTC());
        one.projects.create("acme", "ann");
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private Hierarchy server(Clock clock) {
        return new Hierarchy(folder, clock, runtime, calls, Map.of("lance.reserved-buckets", "vault"));
    }

    @Test
    void creatingAProjectAgainChangesNothing() {
        Project first = two.projects.require("acme");
        assertThat(one.projects.create("acme", "bob")).isEqualTo(first);
        assertThat(first.createdBy()).isEqualTo("ann");
    }

    @Test
    void aWarehouseForAnUnrecordedProjectNamesTheDoorThatMakesOne() {
        refuses(
                () -> one.creation.create(wanted("wh-one", "nobody"), "ann"),
                ErrorCode.TABLE_NOT_FOUND,
                "/v1/projects");
        assertThat(one.projects.find("nobody")).isEmpty();
    }

    @Test
    void ofTwoCreatorsOfOneWarehouseIdOneWinsAndTheOtherSeesAConflictOrTheSameRecord() throws Exception {
        one.projects.create("other", "bob");
        for (int round = 0; round < 10; round++) {
            String id = "race-" + round;
            List<Object> outcomes = atOnce(List.of(
                    () -> outcome(() -> one.creation.create(wanted(id, "acme"), "ann")),
                    () -> outcome(() -> two.creation.create(wanted(id, "other"), "bob")),
                    () -> outcome(() -> two.creation.create(wanted(id, "acme"), "eve"))));
            String owner = one.warehouses.require(id).project();
            for (Object outcome : outcomes) {
                if (outcome instanceof Warehouse warehouse) {
                    assertThat(warehouse.project()).isEqualTo(owner);
                } else {
                    assertThat(outcome).isEqualTo(ErrorCode.NAMESPACE_ALREADY_EXISTS);
                }
            }
            assertThat(outcomes.stream().filter(Warehouse.class::isInstance)).isNotEmpty();
        }
    }

    @Test
    void oneBucketIsClaimedByOneProjectEvenUnderARace() throws Exception {
        one.projects.create("other", "bob");
        for (int round = 0; round < 10; round++) {
            String bucket = "bucket-" + round;
            String mine = "mine-" + round;
            String yours = "yours-" + round;
            List<Object> outcomes = atOnce(List.of(
                    () -> outcome(() -> one.creation.create(inBucket(mine, "acme", bucket), "ann")),
                    () -> outcome(() -> two.creation.create(inBucket(yours, "other", bucket), "bob"))));
            assertThat(outcomes.stream().filter(Warehouse.class::isInstance)).hasSize(1);
            assertThat(outcomes).contains(ErrorCode.NAMESPACE_ALREADY_EXISTS);
        }
    }

    @Test
    void aRefusedWarehouseLeavesItsBucketFreeForItsOwner() {
        one.projects.create("other", "bob");
        one.creation.create(wanted("taken", "acme"), "ann");
        refuses(
                () -> one.creation.create(inBucket("taken", "other", "free-bucket"), "bob"),
                ErrorCode.NAMESPACE_ALREADY_EXISTS,
                "another project");
        assertThat(two.creation
                        .create(inBucket("second", "acme", "free-bucket"), "ann")
                        .project())
                .isEqualTo("acme");
    }

    @Test
    void aClaimLeftByACrashIsGivenUpAfterAWhile() {
        one.projects.create("other", "bob");
        StorageClaims.Claim left =
                new StorageClaims.Claim("ghost", "other", "wh-late", folder.toUri() + "lance/wh-late");
        new StorageClaims(one.records, Clock.systemUTC()).take(left, id -> false);
        refuses(
                () -> one.creation.create(wanted("wh-late", "acme"), "ann"),
                ErrorCode.NAMESPACE_ALREADY_EXISTS,
                "another project");
        try (Hierarchy later = server(Clock.offset(Clock.systemUTC(), Duration.ofHours(1)))) {
            assertThat(later.creation.create(wanted("wh-late", "acme"), "ann").id())
                    .isEqualTo("wh-late");
        }
    }

    @Test
    void aReservedBucketIsRefused() {
        refuses(() -> one.creation.create(wanted("vault", "acme"), "ann"), ErrorCode.INVALID_INPUT, "reserved");
    }

    @Test
    void recreatingAWarehouseCannotChangeItsPlaceOrProjectNorDisarmItsProtection() {
        Warehouse first = one.creation.create(wanted("wh-one", "acme"), "ann");
        one.projects.create("other", "bob");
        refuses(
                () -> two.creation.create(wanted("wh-one", "other"), "bob"),
                ErrorCode.NAMESPACE_ALREADY_EXISTS,
                "another project");
        refuses(
                () -> two.creation.create(inBucket("wh-one", "acme", "elsewhere"), "ann"),
                ErrorCode.NAMESPACE_ALREADY_EXISTS,
                "cannot be changed");
        Wanted armed = new Wanted("wh-one", "acme", null, null, null, null, null, true);
        assertThat(two.creation.create(armed, "ann").isProtected()).isTrue();
        Warehouse again = one.creation.create(wanted("wh-one", "acme"), "eve");
        assertThat(again.isProtected()).isTrue();
        assertThat(again.root()).isEqualTo(first.root());
        assertThat(again.createdAt()).isEqualTo(first.createdAt());
        assertThat(again.createdBy()).isEqualTo("ann");
    }

    @Test
    void aWarehousesRootMayNotTouchAnotherWarehousesRootNorTheRecords() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        String inside = folder.toUri() + "lance/wh-one/deeper";
        refuses(() -> two.creation.create(at("wh-two", inside), "ann"), ErrorCode.NAMESPACE_ALREADY_EXISTS, "'wh-one'");
        refuses(
                () -> two.creation.create(at("wh-two", folder.toUri() + "lance"), "ann"),
                ErrorCode.NAMESPACE_ALREADY_EXISTS,
                "'wh-one'");
        refuses(
                () -> two.creation.create(at("wh-two", folder.toUri() + "control/x"), "ann"),
                ErrorCode.INVALID_INPUT,
                "records");
        refuses(
                () -> two.creation.create(at("wh-two", "file:///etc"), "ann"),
                ErrorCode.INVALID_INPUT,
                "allowed-roots");
        refuses(
                () -> two.creation.create(at("wh-two", folder.toUri() + "lance/../../x"), "ann"),
                ErrorCode.INVALID_INPUT,
                "..");
        assertThat(two.creation
                        .create(at("wh-two", folder.toUri() + "lance/wh-one2"), "ann")
                        .id())
                .isEqualTo("wh-two");
    }

    @Test
    void aDeactivatedWarehouseRefusesEverythingBelowItAtOnceOnEveryServer() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.topLevel.create("wh-one", "sales", Map.of(), false, null);
        assertThat(two.locator.locate(ObjectId.of("sales"))).isPresent();
        one.warehouses.setStatus("wh-one", Warehouse.Status.DEACTIVATED);
        refuses(() -> two.locator.locate(ObjectId.of("sales", "t")), ErrorCode.PERMISSION_DENIED, "deactivated");
        refuses(
                () -> two.topLevel.create("wh-one", "more", Map.of(), false, null),
                ErrorCode.PERMISSION_DENIED,
                "deactivated");
        one.warehouses.setStatus("wh-one", Warehouse.Status.ACTIVE);
        assertThat(two.locator.locate(ObjectId.of("sales"))).isPresent();
    }

    @Test
    void anUnreadableBindingIsUnavailableAndNeverRoutesElsewhere() throws IOException {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.topLevel.create("wh-one", "sales", Map.of(), false, null);
        Files.writeString(
                folder.resolve("control").resolve(RecordKeys.binding("sales").value()), "not json");
        refuses(() -> two.locator.locate(ObjectId.of("sales")), ErrorCode.SERVICE_UNAVAILABLE, "unreadable");
        refuses(() -> two.bindings.all(), ErrorCode.SERVICE_UNAVAILABLE, "unreadable");
    }

    @Test
    void oneCorruptRecordDoesNotHideTheOthersButBlocksADelete() throws IOException {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.creation.create(wanted("wh-two", "acme"), "ann");
        Files.writeString(
                folder.resolve("control").resolve(RecordKeys.warehouse("wh-two").value()), "{");
        assertThat(two.warehouses.all()).extracting(Warehouse::id).containsExactly("wh-one");
        refuses(() -> two.warehouses.idsOf("acme"), ErrorCode.SERVICE_UNAVAILABLE, "unreadable");
    }

    @Test
    void aNamespaceBoundElsewhereIsAConflictAndAnUnboundOneIsAdoptedOnlyWhenAsked() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.creation.create(wanted("wh-two", "acme"), "ann");
        assertThat(one.topLevel.create("wh-one", "sales", Map.of("k", "v"), false, null))
                .isEqualTo(Outcome.MADE);
        assertThat(two.topLevel.create("wh-one", "sales", Map.of(), false, null))
                .isEqualTo(Outcome.THERE);
        refuses(
                () -> two.topLevel.create("wh-two", "sales", Map.of(), false, null),
                ErrorCode.NAMESPACE_ALREADY_EXISTS,
                "another warehouse");
        one.topLevel.unbind("wh-one", "sales", any -> {}, any -> {});
        assertThat(two.locator.locate(ObjectId.of("sales"))).isEmpty();
        refuses(
                () -> two.topLevel.create("wh-one", "sales", Map.of(), false, null),
                ErrorCode.NAMESPACE_ALREADY_EXISTS,
                "adopt_existing");
        assertThat(two.topLevel.create("wh-one", "sales", Map.of(), true, null)).isEqualTo(Outcome.COMPLETED);
        assertThat(two.manifests
                        .view(two.locator
                                .locate(ObjectId.of("sales"))
                                .orElseThrow()
                                .root())
                        .namespace("sales")
                        .orElseThrow()
                        .metadata())
                .isEqualTo("{\"k\":\"v\"}");
    }

    @Test
    void ofTwoWarehousesRacingForOneNamespaceExactlyOneBindsIt() throws Exception {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.creation.create(wanted("wh-two", "acme"), "ann");
        for (int round = 0; round < 20; round++) {
            String name = "ns" + round;
            List<Object> outcomes = atOnce(List.of(
                    () -> outcome(() -> one.topLevel.create("wh-one", name, Map.of(), false, null)),
                    () -> outcome(() -> two.topLevel.create("wh-two", name, Map.of(), false, null))));
            assertThat(outcomes).containsExactlyInAnyOrder(Outcome.MADE, ErrorCode.NAMESPACE_ALREADY_EXISTS);
        }
    }

    @Test
    void unbindingIsRefusedWhileTablesAreInsideAndNamesThem() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.topLevel.create("wh-one", "sales", Map.of(), false, null);
        ManifestEntry table = ManifestEntry.table("sales$orders", "00_orders", null);
        one.manifests.commit(
                one.locator.locate(ObjectId.of("sales")).orElseThrow().root(), view -> ManifestChange.Plan.put(table));
        refuses(
                () -> two.topLevel.unbind("wh-one", "sales", any -> {}, any -> {}),
                ErrorCode.NAMESPACE_NOT_EMPTY,
                "sales$orders");
        refuses(
                () -> two.topLevel.unbind("wh-one", "other", any -> {}, any -> {}),
                ErrorCode.NAMESPACE_NOT_FOUND,
                "other");
    }

    @Test
    void whatComesIntoANamespaceWhileItIsUnboundKeepsItOrEndsWithIt() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.topLevel.create("wh-one", "sales", Map.of(), false, null);
        CatalogRoot root =
                one.locator.locate(ObjectId.of("sales")).orElseThrow().root();
        List<Integer> tied = new ArrayList<>();
        refuses(
                () -> two.topLevel.unbind(
                        "wh-one",
                        "sales",
                        seen -> one.manifests.commit(
                                root,
                                view -> ManifestChange.Plan.put(ManifestEntry.table("sales$late", "00_late", null))),
                        view -> tied.add(view.rows(ManifestEntry::isTable).size())),
                ErrorCode.NAMESPACE_NOT_EMPTY,
                "sales$late");
        assertThat(one.locator.locate(ObjectId.of("sales"))).isPresent();
        assertThat(tied).containsExactly(1);
        one.manifests.commit(root, view -> ManifestChange.Plan.remove("sales$late"));
        List<Integer> ended = new ArrayList<>();
        two.topLevel.unbind(
                "wh-one",
                "sales",
                seen -> {
                    assertThat(one.locator.locate(ObjectId.of("sales"))).isEmpty();
                    refuses(
                            () -> one.topLevel.create("wh-one", "sales", Map.of(), true, null),
                            ErrorCode.CONCURRENT_MODIFICATION,
                            "being unbound");
                    ended.add(seen.rows(any -> true).size());
                    one.manifests.commit(
                            root, view -> ManifestChange.Plan.put(ManifestEntry.namespace("sales$inner", null)));
                },
                any -> {});
        assertThat(ended).containsExactly(1, 2);
        assertThat(one.bindings.find("sales")).isEmpty();
    }

    @Test
    void anUnbindingThatFailsAfterItsRightsKeepsTheNamespaceShutUntilItsRepeatEndsIt() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.topLevel.create("wh-one", "sales", Map.of(), false, null);
        CatalogException down = CatalogException.unavailable("down", null);
        refuses(
                () -> two.topLevel.unbind(
                        "wh-one",
                        "sales",
                        any -> {
                            throw down;
                        },
                        any -> {}),
                ErrorCode.SERVICE_UNAVAILABLE,
                "down");
        assertThat(one.locator.locate(ObjectId.of("sales"))).isEmpty();
        // A drop that skips what is absent takes it for that, and must not open the way again.
        one.topLevel.forget("sales");
        assertThat(one.bindings.find("sales"))
                .hasValueSatisfying(binding -> assertThat(binding.isShut()).isTrue());
        two.topLevel.unbind("wh-one", "sales", any -> {}, any -> {});
        assertThat(one.bindings.find("sales")).isEmpty();
    }

    @Test
    void aNamespaceThatNobodyUndoesAnyMoreStaysAndKeepsItsMaker() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        assertThat(one.topLevel.create("wh-one", "sales", Map.of(), false, "ann"))
                .isEqualTo(Outcome.MADE);
        one.topLevel.forget("sales");
        assertThat(one.bindings.unseeded("sales"))
                .hasValueSatisfying(left -> assertThat(left.maker()).isEqualTo("ann"));
        List<String> ended = new ArrayList<>();
        two.topLevel.undo("wh-one", "sales", "bob", () -> ended.add("bob"));
        two.bindings.seeded("sales");
        one.topLevel.undo("wh-one", "sales", "ann", () -> ended.add("ann"));
        assertThat(ended).isEmpty();
        assertThat(one.locator.locate(ObjectId.of("sales"))).isPresent();
        assertThat(one.topLevel.create("wh-one", "more", Map.of(), false, "ann"))
                .isEqualTo(Outcome.MADE);
        one.topLevel.undo("wh-one", "more", "ann", () -> ended.add("more"));
        assertThat(ended).containsExactly("more");
        assertThat(one.topLevel.create("wh-one", "more", Map.of(), false, "ann"))
                .isEqualTo(Outcome.MADE);
    }

    @Test
    void anUnbindingThatACrashCutOffGoesOnWhenItIsAskedForAgain() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.topLevel.create("wh-one", "sales", Map.of(), false, null);
        one.records.mutate(
                RecordKey.of("_warehouses/bindings", RecordKey.hashed("namespace", "sales")),
                content -> content.put("shut", true));
        assertThat(two.locator.locate(ObjectId.of("sales"))).isEmpty();
        two.topLevel.unbind("wh-one", "sales", any -> {}, any -> {});
        assertThat(one.topLevel.create("wh-one", "sales", Map.of(), true, null)).isEqualTo(Outcome.COMPLETED);
        assertThat(one.locator.locate(ObjectId.of("sales"))).isPresent();
    }

    @Test
    void aDeletionOfAProjectThatHasTakenRightsBackIsNotGivenUpByARepeatThatFails() {
        CatalogException down = CatalogException.unavailable("down", null);
        refuses(
                () -> one.projects.delete("acme", false, "ann", List::of, () -> {
                    throw down;
                }),
                ErrorCode.SERVICE_UNAVAILABLE,
                "down");
        refuses(
                () -> two.projects.delete("acme", false, "eve", failingLook(2, down), () -> {}),
                ErrorCode.SERVICE_UNAVAILABLE,
                "down");
        assertThat(one.projects.require("acme").deleting()).isTrue();
        assertThat(one.projects.endedBy("acme")).contains("ann");
        two.projects.delete("acme", false, "ann", List::of, () -> {});
        assertThat(one.projects.find("acme")).isEmpty();
    }

    @Test
    void aDeletionOfAProjectThatIsGivenUpTakesNoRights() {
        CatalogException down = CatalogException.unavailable("down", null);
        refuses(
                () -> two.projects.delete("acme", false, "ann", failingLook(2, down), () -> {}),
                ErrorCode.SERVICE_UNAVAILABLE,
                "down");
        assertThat(one.projects.require("acme").deleting()).isFalse();
        // Another request gives up what this one goes on with: it must not take the rights on an open project.
        AtomicInteger looks = new AtomicInteger();
        List<String> taken = new ArrayList<>();
        refuses(
                () -> one.projects.delete(
                        "acme",
                        false,
                        "ann",
                        () -> {
                            if (looks.incrementAndGet() == 2) {
                                one.records.mutate(RecordKeys.project("acme"), content -> {
                                    content.remove("deleting");
                                    return content;
                                });
                            }
                            return List.of();
                        },
                        () -> taken.add("rights")),
                ErrorCode.CONCURRENT_MODIFICATION,
                "given up");
        assertThat(taken).isEmpty();
        assertThat(one.projects.endedBy("acme")).isEmpty();
    }

    private static Supplier<List<String>> failingLook(int at, CatalogException failure) {
        AtomicInteger looks = new AtomicInteger();
        return () -> {
            if (looks.incrementAndGet() == at) {
                throw failure;
            }
            return List.of();
        };
    }

    private void deleteWarehouse(boolean force) {
        two.warehouses.delete(
                "wh-one",
                force,
                warehouse -> {
                    List<String> inside = two.bindings.namespacesOf("wh-one");
                    if (!inside.isEmpty()) {
                        throw WarehouseRegistry.holds("wh-one", "namespaces", inside);
                    }
                },
                warehouse -> {});
    }

    @Test
    void containersThatHoldSomethingAreNotDeletedAndSayWhat() {
        one.creation.create(wanted("wh-one", "acme"), "ann");
        one.topLevel.create("wh-one", "sales", Map.of(), false, null);
        for (boolean force : new boolean[] {false, true}) {
            refuses(() -> deleteWarehouse(force), ErrorCode.NAMESPACE_NOT_EMPTY, "sales");
            refuses(
                    () -> two.projects.delete("acme", force, "ann", () -> two.warehouses.idsOf("acme"), () -> {}),
                    ErrorCode.NAMESPACE_NOT_EMPTY,
                    "wh-one");
        }
        assertThat(two.locator.locate(ObjectId.of("sales"))).isPresent();
        one.topLevel.unbind("wh-one", "sales", any -> {}, any -> {});
        deleteWarehouse(false);
        two.projects.delete("acme", false, "ann", () -> two.warehouses.idsOf("acme"), () -> {});
        assertThat(one.warehouses.find("wh-one")).isEmpty();
        assertThat(one.projects.find("acme")).isEmpty();
        one.projects.create("other", "bob");
        assertThat(one.creation.create(wanted("wh-one", "other"), "bob").project())
                .isEqualTo("other");
    }

    @Test
    void forceDeletesAProtectedEmptyWarehouseAndNothingElseDoes() {
        one.creation.create(new Wanted("wh-one", "acme", null, null, null, null, null, true), "ann");
        refuses(() -> deleteWarehouse(false), ErrorCode.NAMESPACE_NOT_EMPTY, "force=true");
        deleteWarehouse(true);
        assertThat(one.warehouses.find("wh-one")).isEmpty();
    }

    @Test
    void aWarehouseMadeWhileItsProjectIsDeletedNeverOutlivesIt() throws Exception {
        for (int round = 0; round < 15; round++) {
            String project = "proj-" + round;
            String warehouse = "wh-" + round + "-x";
            one.projects.create(project, "ann");
            atOnce(List.of(
                    () -> outcome(() -> one.creation.create(wanted(warehouse, project), "ann")),
                    () -> outcome(() -> {
                        two.projects.delete(project, false, "ann", () -> two.warehouses.idsOf(project), () -> {});
                        return true;
                    })));
            boolean hasProject = one.projects.find(project).isPresent();
            boolean hasWarehouse = one.warehouses.find(warehouse).isPresent();
            assertThat(hasWarehouse && !hasProject)
                    .as("a warehouse without a project in round %s", round)
                    .isFalse();
        }
    }

    @Test
    void withoutWarehousesEverythingLivesInOneRoot() {
        try (Hierarchy single = new Hierarchy(
                folder.resolve("single"),
                Clock.systemUTC(),
                runtime,
                calls,
                Map.of("lance.warehouses-enabled", "false"))) {
            assertThat(single.locator
                            .locate(ObjectId.of("any", "t"))
                            .orElseThrow()
                            .place())
                    .isEqualTo(single.locator.single().place());
        }
    }

    private Wanted inBucket(String id, String project, String bucket) {
        return new Wanted(id, project, bucket, null, null, null, null, false);
    }

    private Wanted at(String id, String root) {
        return new Wanted(id, "acme", null, root, null, null, null, false);
    }

    private static Object outcome(Callable<Object> call) throws Exception {
        try {
            return call.call();
        } catch (CatalogException e) {
            return e.code();
        }
    }

    private static void refuses(ThrowingCallable call, ErrorCode code, String text) {
        assertThatThrownBy(call).isInstanceOfSatisfying(CatalogException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e).hasMessageContaining(text);
        });
    }

    private static List<Object> atOnce(List<Callable<Object>> tasks) throws Exception {
        List<Object> outcomes = new ArrayList<>();
        for (Future<Object> future : threads.invokeAll(tasks)) {
            outcomes.add(future.get());
        }
        return outcomes;
    }
}
