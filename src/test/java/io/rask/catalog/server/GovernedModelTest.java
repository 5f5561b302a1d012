package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.WarehouseHome;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.server.ModelHierarchy.State;
import io.rask.catalog.server.ModelHierarchy.Table;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.testing.GovernedStore;
import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.OpenFga;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Sixteen clients of two servers that share a store and a permission engine do everything at random, each time as another user: owners,
 * writers, readers, a team and a stranger. Every answer must be the model's, and in the end the catalog, the engine and the store hold
 * what the model holds and nothing else. {@code -Dmodel.seed=…} runs one again, {@code -Dmodel.steps=…} makes it longer and
 * {@code -Dmodel.seconds=…} ends it by time.
 */
class GovernedModelTest {
    private static final int CLIENTS = 16;
    private static final int STEPS = Integer.getInteger("model.steps", 2_000);
    private static final @Nullable Integer SECONDS = Integer.getInteger("model.seconds");

    private static final List<String> EACH = List.of(
            "create 0",
            "declare 0",
            "insert 0",
            "count_rows 0",
            "count_rows 15",
            "list 0",
            "drop 0",
            "drop 15",
            "undrop 0",
            "purge 0",
            "rename 0",
            "rename 15",
            "protection 0",
            "grant 0");

    @Test
    void everyAnswerIsTheModelsAndNothingIsLostOrLeft() throws Exception {
        long seed = Long.getLong("model.seed", System.nanoTime());
        System.out.println("GovernedModelTest seed " + seed);
        ModelHierarchy model = new ModelHierarchy();
        try (GovernedStore store = new GovernedStore(OpenFga.shared(), Map.of("lance.trash-grace-days", "7"));
                RunningServer one = store.start();
                RunningServer two = store.start();
                Race race = new Race(CLIENTS, Duration.ofHours(1))) {
            found(one);
            List<Map<String, RunningServer>> servers =
                    List.of(ModelDoors.asEverybody(one), ModelDoors.asEverybody(two));
            AtomicInteger steps = new AtomicInteger();
            Map<String, Integer> answered = new ConcurrentSkipListMap<>();
            long end = SECONDS == null
                    ? Long.MAX_VALUE
                    : System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
            race.run(number -> {
                ModelClient client = new ModelClient(number, seed, model, servers, answered);
                while (SECONDS == null ? steps.incrementAndGet() <= STEPS : System.nanoTime() < end) {
                    client.step();
                    if (SECONDS != null) {
                        steps.incrementAndGet();
                    }
                }
                return true;
            });
            System.out.println("GovernedModelTest made " + (SECONDS == null ? STEPS : steps.get()) + " steps");
            System.out.println("GovernedModelTest was answered " + answered);
            // A run in which nothing may be done would show nothing.
            assertThat(answered.keySet()).containsAll(EACH);
            Workers.finish(two);
            requireRows(two, model);
            requireFacts(two, model);
        }
    }

    private static void found(RunningServer server) {
        GovernedCatalog.grant(server, ModelHierarchy.ADMINISTRATOR, "operator", AccessObject.ESTATE);
        RunningServer petra = server.asking(HeaderIdentification.USER, ModelHierarchy.ADMINISTRATOR);
        for (int at = 0; at < ModelHierarchy.warehouses().size(); at++) {
            petra.makeNamespace("acme", ModelHierarchy.warehouses().get(at), "top-" + at);
        }
        for (ModelHierarchy.Space space : new ModelHierarchy().spaces) {
            petra.post(space.path() + "/create", "{}").ok();
        }
    }

    /** The rows of all warehouses, and the folders in their roots, are those of the model's tables. */
    private static void requireRows(RunningServer server, ModelHierarchy model) {
        Map<String, String> rows = new TreeMap<>();
        for (WarehouseHome home : server.bean(Locator.class).everyHome()) {
            Set<String> places = new TreeSet<>();
            for (ManifestEntry row :
                    server.bean(Manifests.class).view(home.profile().root()).rows(any -> true)) {
                assertThat(row.isEnding()).as("left behind: " + row).isFalse();
                if (row.restored().isTable()) {
                    places.add(String.valueOf(row.location()));
                    if (!row.name().startsWith("race-")) {
                        rows.put(row.id(), row.type());
                    }
                }
            }
            model.tables().stream()
                    .filter(table -> table.kept != null)
                    .forEach(table -> places.add(folder(String.valueOf(table.kept))));
            assertThat(server.bean(StoreFiles.class).folders(home.profile(), "").stream()
                            .filter(name -> !name.startsWith("_"))
                            .filter(name -> !places.contains(name))
                            .toList())
                    .as("bytes of nobody in " + home)
                    .isEmpty();
        }
        Map<String, String> known = new TreeMap<>();
        for (Table table : model.tables()) {
            if (table.state != State.ABSENT) {
                known.put(table.stored(), table.isLive() ? "table" : "table_trashed");
            }
        }
        assertThat(rows).isEqualTo(known);
    }

    private static String folder(String uri) {
        return uri.substring(uri.lastIndexOf('/') + 1);
    }

    /** The engine knows of every table what the model knows, and of nothing that is gone. */
    private static void requireFacts(RunningServer server, ModelHierarchy model) {
        Map<String, Set<String>> said = new TreeMap<>();
        String token = null;
        do {
            PermissionEngine.Page page = server.bean(PermissionEngine.class).read(null, null, null, token);
            for (Tuple fact : page.tuples()) {
                said.computeIfAbsent(fact.object(), any -> new HashSet<>()).add(fact.user() + " " + fact.relation());
            }
            token = page.next();
        } while (token != null);
        Map<String, Set<String>> known = new TreeMap<>();
        for (Table table : model.tables()) {
            if (table.state != State.ABSENT) {
                Set<String> facts = new HashSet<>(table.grants);
                facts.add("namespace:" + table.space.stored() + " parent");
                known.put("table:" + table.stored(), facts);
            }
        }
        Set<String> live = new HashSet<>(known.keySet());
        live.add("estate:catalog");
        live.add("project:acme");
        ModelHierarchy.warehouses().forEach(name -> live.add("warehouse:" + name));
        live.add("namespace:top-0");
        live.add("namespace:top-1");
        model.spaces.forEach(space -> live.add("namespace:" + space.stored()));
        List<String> races = new ArrayList<>();
        for (WarehouseHome home : server.bean(Locator.class).everyHome()) {
            server.bean(Manifests.class)
                    .view(home.profile().root())
                    .rows(row -> row.name().startsWith("race-"))
                    .forEach(row -> races.add("table:" + row.id()));
        }
        races.forEach(name ->
                assertThat(said.get(name)).containsExactlyInAnyOrder("user:petra owner", "namespace:top-0 parent"));
        live.addAll(races);
        assertThat(said.keySet()).as("facts of what is gone").isSubsetOf(live);
        Map<String, Set<String>> told = new TreeMap<>(said);
        told.keySet().removeIf(name -> !name.startsWith("table:") || races.contains(name));
        assertThat(told).isEqualTo(known);
    }
}
