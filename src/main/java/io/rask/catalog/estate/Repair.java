package io.rask.catalog.estate;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.Edges;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.OwnerFacts;
import io.rask.catalog.access.PermissionEngine;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lifecycle.NamelessRights;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.storage.StorageProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Mends what two looks have found. Before each write it is read again what is there, and after it once more. */
final class Repair {
    private static final int TIES = 10_000;
    private static final int NAMES = 200;
    private static final int UNPLACED = 500;
    private static final int WIDTH = 4;

    private final PermissionEngine engine;
    private final OwnerFacts facts;
    private final NamelessRights nameless;
    private final InventoryReader reader;
    private final Consumer<String> progress;
    private final Set<String> mended = new HashSet<>();

    Repair(
            PermissionEngine engine,
            OwnerFacts facts,
            NamelessRights nameless,
            InventoryReader reader,
            Consumer<String> progress) {
        this.engine = engine;
        this.facts = facts;
        this.nameless = nameless;
        this.reader = reader;
        this.progress = progress;
    }

    /**
     * Mends all of it: edges first, so that nobody who owns what is above waits for the rest.
     *
     * @param owner who is to own what was not tied, and administer projects that nobody does; null for nobody
     * @return the names that are as they should be now
     */
    Set<String> mend(Difference found, @Nullable String owner) {
        Set<String> loose = new HashSet<>(found.untied());
        loose.addAll(found.wrong().keySet());
        Inventory now = reader.read();
        for (List<String> part : parts(loose, TIES)) {
            now = tie(part, found, owner, now);
            progress.accept(mended.size() + " of " + loose.size() + " objects tied");
        }
        if (owner != null) {
            administer(found.headless(), owner);
        }
        forget(found.ghosts(), now);
        return mended;
    }

    /** Ties objects, and gives those to the owner whose container was tied before: he has the others through theirs. */
    private Inventory tie(List<String> names, Difference found, @Nullable String owner, Inventory now) {
        Map<String, Tuple> edges = new HashMap<>();
        List<Tuple> added = new ArrayList<>();
        List<Tuple> removed = new ArrayList<>();
        for (String name : names) {
            Inventory.Entry entry = now.find(name).orElse(null);
            Tuple edge = entry == null ? null : entry.edge().orElse(null);
            if (entry == null || edge == null) {
                continue; // It has gone since it was found.
            }
            edges.put(name, edge);
            added.addAll(
                    found.untied().contains(name)
                            ? facts.placed(entry.object(), Objects.requireNonNull(entry.parent()))
                            : List.of(edge));
            found.wrong().getOrDefault(name, Set.of()).stream()
                    .filter(parent -> !parent.equals(edge.user()))
                    .forEach(parent -> removed.add(new Tuple(parent, edge.relation(), name)));
            if (owner != null
                    && found.untied().contains(name)
                    && !found.untied().contains(edge.user())) {
                added.addAll(facts.owned(owner, entry.object(), Objects.requireNonNull(entry.parent())));
            }
        }
        engine.write(added, removed);
        Inventory then = reader.read();
        List<Tuple> late = edges.values().stream()
                .filter(edge -> then.find(edge.object())
                        .flatMap(Inventory.Entry::edge)
                        .filter(edge::equals)
                        .isEmpty())
                .toList();
        engine.write(List.of(), late);
        mended.addAll(names);
        late.forEach(edge -> mended.remove(edge.object()));
        return then;
    }

    /** Who has come to administer a project since it was found is enough, and one that has gone needs nobody. */
    private void administer(Set<String> headless, String owner) {
        if (headless.isEmpty()) {
            return;
        }
        Inventory now = reader.read();
        List<Tuple> given = new ArrayList<>();
        for (String project : headless) {
            Inventory.Entry entry = now.find(project).orElse(null);
            AccessObject parent = entry == null ? null : entry.parent();
            if (entry != null && parent != null && !isAdministered(project)) {
                List<Tuple> admin = facts.owned(owner, entry.object(), parent);
                engine.write(admin, List.of());
                given.addAll(admin);
            }
        }
        Inventory then = reader.read();
        engine.write(
                List.of(),
                given.stream()
                        .filter(admin -> then.find(admin.object())
                                .flatMap(Inventory.Entry::edge)
                                .isEmpty())
                        .toList());
    }

    private boolean isAdministered(String project) {
        return engine.of(project).stream().anyMatch(fact -> FactScan.ADMINISTERS.contains(fact.relation()));
    }

    private void forget(Set<String> ghosts, Inventory now) {
        Map<StorageProfile, List<AccessObject>> placed = new HashMap<>();
        List<String> others = new ArrayList<>();
        for (String name : ghosts) {
            AccessObject object = ObjectNames.object(name).orElse(null);
            StorageProfile home = object == null ? null : home(object, now);
            if (object == null || home == null) {
                others.add(name);
            } else {
                placed.computeIfAbsent(home, any -> new ArrayList<>()).add(object);
            }
        }
        placed.forEach((home, objects) -> {
            forget(home, objects, Kind.TABLE);
            forget(home, objects, Kind.NAMESPACE);
        });
        parts(others, UNPLACED).forEach(this::forgetUnplaced);
    }

    /** The root in whose manifest the name can be kept taken. */
    private static @Nullable StorageProfile home(AccessObject object, Inventory now) {
        boolean isInManifest = object.kind() == Kind.NAMESPACE || object.kind() == Kind.TABLE;
        return isInManifest
                ? now.home(Delimiter.STORED.split(object.id()).segments().getFirst())
                        .orElse(null)
                : null;
    }

    private void forget(StorageProfile home, Collection<AccessObject> objects, Kind kind) {
        List<ManifestEntry> names = objects.stream()
                .filter(object -> object.kind() == kind)
                .map(object -> kind == Kind.TABLE
                        ? ManifestEntry.nameOfTable(object.id())
                        : ManifestEntry.namespace(object.id(), null))
                .toList();
        for (List<ManifestEntry> part : parts(names, NAMES)) {
            nameless.end(home, part).forEach(name -> mended.add(ObjectNames.of(new AccessObject(kind, name.id()))));
            progress.accept(mended.size() + " differences mended");
        }
    }

    /** What no manifest can keep taken: the time between the look and the write is as short as it can be. */
    private void forgetUnplaced(List<String> names) {
        Map<String, List<Tuple>> said = new HashMap<>();
        Fanout.map(
                        names,
                        WIDTH,
                        name -> Map.entry(
                                name, Edges.around(engine, Objects.requireNonNull(FactScan.kind(name)), name)))
                .forEach(each -> said.put(each.getKey(), each.getValue()));
        Inventory now = reader.read();
        List<String> gone = names.stream().filter(name -> isGone(name, now)).toList();
        engine.write(
                List.of(),
                gone.stream()
                        .flatMap(name -> said.getOrDefault(name, List.of()).stream())
                        .toList());
        Inventory then = reader.read();
        gone.stream().filter(name -> isGone(name, then)).forEach(mended::add);
    }

    private static boolean isGone(String name, Inventory now) {
        Kind kind = Objects.requireNonNull(FactScan.kind(name));
        boolean couldComeBack = ObjectNames.object(name)
                .filter(object -> home(object, now) != null)
                .isPresent();
        return now.find(name).isEmpty() && now.unread(kind).isEmpty() && !couldComeBack;
    }

    private static <T> List<List<T>> parts(Collection<T> all, int most) {
        List<T> items = List.copyOf(all);
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < items.size(); from += most) {
            parts.add(items.subList(from, Math.min(items.size(), from + most)));
        }
        return parts;
    }
}
