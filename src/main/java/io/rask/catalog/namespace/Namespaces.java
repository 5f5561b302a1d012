package io.rask.catalog.namespace;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Seeding;
import io.rask.catalog.door.Seen;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Binding;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ReservedNames;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestProperties;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.Departures;
import io.rask.catalog.lifecycle.DropWish;
import io.rask.catalog.lifecycle.Drops;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.lifecycle.Protections;
import io.rask.catalog.lifecycle.Subtree;
import io.rask.catalog.lifecycle.TopLevelRights;
import io.rask.catalog.lifecycle.Trash;
import io.rask.catalog.lifecycle.Trashing;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.wire.CreateMode;
import io.rask.catalog.wire.DropBehavior;
import io.rask.catalog.wire.DropMode;
import io.rask.catalog.wire.DryRunResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What the namespace operations do. Every check that must hold at the commit is part of the change it commits. */
@Component
public final class Namespaces {

    private final CatalogProperties properties;
    private final Locator locator;
    private final BindingRegistry bindings;
    private final TopLevelNamespaces topLevel;
    private final Manifests manifests;
    private final Departures departures;
    private final Drops drops;
    private final Trashing trashing;
    private final Trash trash;
    private final DryRuns dryRuns;
    private final ReservedNames reserved;
    private final Protections protections;
    private final Seeding seeding;
    private final TopLevelRights topLevelRights;

    public Namespaces(
            CatalogProperties properties,
            Locator locator,
            BindingRegistry bindings,
            TopLevelNamespaces topLevel,
            Manifests manifests,
            Departures departures,
            Drops drops,
            Trashing trashing,
            Trash trash,
            DryRuns dryRuns,
            ReservedNames reserved,
            Protections protections,
            Seeding seeding,
            TopLevelRights topLevelRights) {
        this.seeding = seeding;
        this.topLevelRights = topLevelRights;
        this.departures = departures;
        this.trashing = trashing;
        this.trash = trash;
        this.dryRuns = dryRuns;
        this.reserved = reserved;
        this.protections = protections;
        this.properties = properties;
        this.locator = locator;
        this.bindings = bindings;
        this.topLevel = topLevel;
        this.manifests = manifests;
        this.drops = drops;
    }

    /**
     * Makes a namespace.
     *
     * @param seen what was there when the rights were asked for
     * @return its properties: the given ones, or those it had where it was kept
     * @throws CatalogException code 1 without its parent; code 2 when the name is taken; code 3 when one to be overwritten holds
     *     something; code 14 when one came to be there that nobody was asked about; code 13 for a top-level namespace that only the warehouse door makes
     */
    public Map<String, String> create(
            ObjectId id, CreateMode mode, Map<String, String> wanted, Seen seen, Principal maker) {
        if (id.depth() == 1 && locator.hasWarehouses()) {
            return createTopLevel(id, mode, wanted, seen, maker);
        }
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.namespace(id.parent()));
        ManifestEntry entry = ManifestEntry.namespace(id.stored(), ManifestProperties.write(wanted));
        protections.clearEnded(home, id);
        AccessObject parent = id.depth() == 1 ? Ancestry.ROOT : AccessObject.namespace(id.parent());
        if (make(home, id, entry, mode, seen)) {
            seeding.made(maker, AccessObject.namespace(id), parent, () -> unmake(home, id));
        } else if (mode == CreateMode.OVERWRITE) {
            seeding.replaced(maker, AccessObject.namespace(id), parent);
        }
        return mode == CreateMode.EXIST_OK ? describe(id) : wanted;
    }

    /** Writes the row; says whether there was none. */
    private boolean make(StorageProfile home, ObjectId id, ManifestEntry entry, CreateMode mode, Seen seen) {
        boolean[] kept = {false};
        boolean[] isNew = {false};
        manifests.commit(home.root(), view -> {
            isNew[0] = view.find(entry.id()).isEmpty();
            ManifestChange.Plan plan = plan(view, id, entry, mode, seen);
            kept[0] = plan.equals(ManifestChange.Plan.nothing());
            return plan;
        });
        if (!kept[0]) {
            Announcements.add(EventType.NAMESPACE_CREATED, id.stored());
        }
        return isNew[0];
    }

    private ManifestChange.Plan plan(ManifestView view, ObjectId id, ManifestEntry entry, CreateMode mode, Seen seen) {
        if (id.depth() > 1 && view.namespace(entry.parent()).isEmpty()) {
            throw Absence.namespace(id.parent());
        }
        Optional<ManifestEntry> existing = view.find(entry.id());
        if (existing.isEmpty()) {
            return ManifestChange.Plan.put(entry);
        }
        if (existing.get().isTrashed() || existing.get().isEnding()) {
            throw reserved.taken(id, existing.get(), ErrorCode.NAMESPACE_ALREADY_EXISTS);
        }
        if (!existing.get().isNamespace() || mode == CreateMode.CREATE) {
            throw NamespaceErrors.exists(id);
        }
        if (seen.isNothing()) {
            throw NamespaceErrors.appeared(id);
        }
        if (mode == CreateMode.EXIST_OK) {
            return ManifestChange.Plan.nothing();
        }
        refuseUnlessEmpty(id, view.children(entry.id()));
        return ManifestChange.Plan.put(entry);
    }

    private void unmake(StorageProfile home, ObjectId id) {
        manifests.commit(
                home.root(),
                view -> view.namespace(id.stored()).isPresent()
                                && view.children(id.stored()).isEmpty()
                        ? ManifestChange.Plan.remove(id.stored())
                        : ManifestChange.Plan.nothing());
        Announcements.withdraw(EventType.NAMESPACE_CREATED, id.stored());
    }

    private Map<String, String> createTopLevel(
            ObjectId id, CreateMode mode, Map<String, String> wanted, Seen seen, Principal maker) {
        String defaultWarehouse = properties.defaultWarehouse();
        if (defaultWarehouse == null) {
            throw CatalogException.invalid(
                    "A top-level namespace is made in a warehouse: POST /v1/warehouses/{id}/namespaces.");
        }
        Optional<Binding> bound = bindings.find(id.name());
        if (bound.isPresent() && mode == CreateMode.CREATE && !topLevelRights.await(maker, id)) {
            throw NamespaceErrors.exists(id);
        }
        if (bound.isPresent() && mode == CreateMode.OVERWRITE) {
            StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.namespace(id));
            ManifestEntry entry = ManifestEntry.namespace(id.stored(), ManifestProperties.write(wanted));
            if (!make(home, id, entry, mode, seen)) {
                AccessObject parent = AccessObject.warehouse(bound.get().warehouse());
                seeding.replaced(maker, AccessObject.namespace(id), parent);
            }
        }
        // One that exists stays in its warehouse, whichever that is.
        String warehouse = bound.map(Binding::warehouse).orElse(defaultWarehouse);
        topLevel.home(warehouse).ifPresent(home -> protections.clearEnded(home, id));
        boolean made = topLevelRights.create(maker, warehouse, id, wanted, bound.isPresent());
        if (!made && mode == CreateMode.CREATE) {
            throw NamespaceErrors.exists(id);
        }
        if (!made && seen.isNothing()) {
            throw NamespaceErrors.appeared(id);
        }
        return made ? wanted : describe(id);
    }

    /** The names of the child namespaces, in order; code 1 when the parent is not there. */
    public PageRequest.Page<String> list(ObjectId parent, PageRequest page) {
        if (parent.isRoot() && locator.hasWarehouses()) {
            return page.cut(bindings.all().stream().map(Binding::namespace).toList(), name -> name);
        }
        ManifestView view = parent.isRoot() ? manifests.view(locator.single().root()) : requireView(parent);
        List<String> names = view.namespaces(parent.stored(), page.after(), page.limit() + 1).stream()
                .map(ManifestEntry::name)
                .toList();
        return page.page(names, name -> name);
    }

    /** The properties of a namespace; the root has none. Code 1 when it is not there. */
    public Map<String, String> describe(ObjectId id) {
        if (id.isRoot()) {
            return Map.of();
        }
        return requireView(id)
                .namespace(id.stored())
                .map(entry -> ManifestProperties.read(entry.metadata()))
                .orElseThrow(() -> Absence.namespace(id));
    }

    /** Code 1 unless the namespace is there; the root always is. */
    public void requireExists(ObjectId id) {
        if (!id.isRoot()) {
            requireView(id);
        }
    }

    private ManifestView requireView(ObjectId id) {
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.namespace(id));
        ManifestView view = manifests.view(home.root());
        if (view.namespace(id.stored()).isEmpty()) {
            throw Absence.namespace(id);
        }
        return view;
    }

    /**
     * Drops a namespace, and with cascade everything in it.
     *
     * @return the properties it had; empty where there was none and the mode skips that
     * @throws CatalogException code 1 when it is not there; code 3 when it holds something and may not cascade, or is protected;
     *     code 13 for the root; code 14 when others kept changing what is in it; code 19 when a table in it is protected or the
     *     source of a clone elsewhere
     */
    public Map<String, String> drop(ObjectId id, DropMode mode, DropBehavior behavior, DropWish wish) {
        requireNoRoot(id);
        Optional<StorageProfile> home = locator.locate(id);
        List<ManifestEntry> gone = home.isEmpty() ? List.of() : remove(home.get(), id, behavior, wish);
        forgetBinding(id);
        if (gone.isEmpty() && mode == DropMode.FAIL) {
            throw Absence.namespace(id);
        }
        return gone.stream()
                .filter(entry -> entry.id().equals(id.stored()))
                .findFirst()
                .map(entry -> ManifestProperties.read(entry.metadata()))
                .orElse(Map.of());
    }

    private static void requireNoRoot(ObjectId id) {
        if (id.isRoot()) {
            throw CatalogException.invalid("The root namespace cannot be dropped.");
        }
    }

    /**
     * Ends what a drop of before may have left of a namespace that is not there; one that was made meanwhile stays.
     *
     * @return the properties it had: none
     */
    public Map<String, String> forget(ObjectId id) {
        forgetBinding(id);
        return Map.of();
    }

    /** What {@link #forget} would do. */
    public DryRunResponse planNothing() {
        return dryRuns.nothing();
    }

    /** What {@link #drop} would do. */
    public DryRunResponse plan(ObjectId id, DropMode mode, DropBehavior behavior, DropWish wish) {
        requireNoRoot(id);
        Optional<StorageProfile> home = locator.locate(id);
        if (home.isEmpty() || namespace(home.get(), id).isEmpty()) {
            if (mode == DropMode.FAIL) {
                throw Absence.namespace(id);
            }
            return dryRuns.nothing();
        }
        boolean toTrash = goesToTrash(home.get(), id, behavior, wish);
        return dryRuns.of(
                home.get(),
                view -> behavior == DropBehavior.CASCADE
                        ? selected(view, id, behavior, toTrash)
                        : view.namespace(id.stored()).stream().toList(),
                view -> selected(view, id, behavior, toTrash),
                wish.force(),
                toTrash ? deadline(home.get(), id) : null);
    }

    private Optional<ManifestEntry> namespace(StorageProfile home, ObjectId id) {
        return manifests.view(home.root()).namespace(id.stored());
    }

    /** Removes the rows in one commit, so that a reader sees all of it or nothing. */
    private List<ManifestEntry> remove(StorageProfile home, ObjectId id, DropBehavior behavior, DropWish wish) {
        return goesToTrash(home, id, behavior, wish)
                ? trashing.drop(
                        home,
                        view -> selected(view, id, behavior, true),
                        wish,
                        deadline(home, id),
                        () -> forgetBinding(id))
                : drops.drop(home, view -> selected(view, id, behavior, false), wish.force(), () -> forgetBinding(id));
    }

    /** An empty namespace leaves nothing that could be brought back; one that holds nothing but trash goes there with it. */
    private boolean goesToTrash(StorageProfile home, ObjectId id, DropBehavior behavior, DropWish wish) {
        return behavior == DropBehavior.CASCADE
                ? departures.isRecoverable(wish)
                : !wish.purge()
                        && manifests.view(home.root()).children(id.stored()).stream()
                                .anyMatch(ManifestEntry::isTrashed);
    }

    /** Not before that of anything that is in it already. */
    private Instant deadline(StorageProfile home, ObjectId id) {
        ManifestView view = manifests.view(home.root());
        return trash.latest(
                view.find(id.stored()).map(row -> Subtree.of(view, row)).orElse(List.of()), departures.deadline());
    }

    private static List<ManifestEntry> selected(
            ManifestView view, ObjectId id, DropBehavior behavior, boolean toTrash) {
        Optional<ManifestEntry> top = view.namespace(id.stored());
        if (top.isEmpty()) {
            return List.of();
        }
        if (behavior == DropBehavior.CASCADE) {
            return Subtree.of(view, top.get());
        }
        refuseUnlessEmpty(
                id,
                view.children(id.stored()).stream()
                        .filter(child -> !child.isEnding() && !(toTrash && child.isTrashed()))
                        .toList());
        return List.of(top.get());
    }

    /** A repeat does nothing. */
    private void forgetBinding(ObjectId id) {
        if (locator.hasWarehouses() && id.depth() == 1) {
            topLevel.forget(id.name());
        }
    }

    private static void refuseUnlessEmpty(ObjectId id, List<ManifestEntry> inside) {
        if (!inside.isEmpty()) {
            String names = String.join(
                    ", ", inside.stream().limit(3).map(ManifestEntry::name).toList());
            String trash = inside.stream().allMatch(ManifestEntry::isTrashed) ? " in the trash" : "";
            throw CatalogException.of(
                            ErrorCode.NAMESPACE_NOT_EMPTY,
                            "The namespace '" + id + "' is not empty: it holds " + names + trash
                                    + ". Drop what it holds first.")
                    .about(Absence.resource("namespace", id));
        }
    }
}
