package io.rask.catalog.hierarchy;

import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.CatalogRoot;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestProperties;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StorageProfiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Makes and unbinds top-level namespaces. The binding comes first, so that two warehouses never hold one name. */
@Component
public final class TopLevelNamespaces {
    private final WarehouseRegistry warehouses;
    private final BindingRegistry bindings;
    private final StorageProfiles profiles;
    private final Manifests manifests;
    private final ReservedNames reserved;

    public TopLevelNamespaces(
            WarehouseRegistry warehouses,
            BindingRegistry bindings,
            StorageProfiles profiles,
            Manifests manifests,
            ReservedNames reserved) {
        this.reserved = reserved;
        this.warehouses = warehouses;
        this.bindings = bindings;
        this.profiles = profiles;
        this.manifests = manifests;
    }

    /** What a creation has come upon or done. */
    public enum Outcome {
        /** The namespace was there, and bound here. */
        THERE,
        /** A part of it was there: the binding, or in the root the namespace. */
        COMPLETED,
        /** Nothing of it was there. */
        MADE;

        /** Whether the namespace came to be there by this call. */
        public boolean isMine() {
            return this != THERE;
        }
    }

    /**
     * Makes a top-level namespace in a warehouse.
     *
     * @param adopt whether a namespace of that name which the warehouse's root holds without a binding is taken over
     * @param maker the subject for whom the permission engine is to be told of it; null where nobody is told
     * @return what this call has done
     * @throws CatalogException code 4 without the warehouse; code 15 when it is deactivated; code 2 when the name is bound
     *     elsewhere, or is in the root and not to be adopted or not a namespace; code 14 when the warehouse is deleted meanwhile
     */
    public Outcome create(
            String warehouseId, String name, Map<String, String> properties, boolean adopt, @Nullable String maker) {
        Warehouse warehouse = requireActive(warehouseId);
        CatalogRoot root = root(warehouse);
        Optional<ManifestEntry> there = manifests.view(root).find(name);
        there.ifPresent(this::requireNamespace);
        if (there.isPresent() && !adopt && bindings.find(name).isEmpty()) {
            throw CatalogException.of(
                    ErrorCode.NAMESPACE_ALREADY_EXISTS,
                    "The root of the warehouse holds an unbound namespace '" + name
                            + "'; adopt_existing=true takes it over.");
        }
        BindingRegistry.Bound bound = bind(name, warehouse, maker);
        if (warehouses
                .find(warehouseId)
                .filter(now -> now.status() != Warehouse.Status.DELETING)
                .isEmpty()) {
            bindings.unbind(name, warehouseId);
            throw HierarchyErrors.beingDeleted("warehouse", warehouseId);
        }
        if (bound.isNew()) {
            requireFree(name, warehouseId);
        }
        boolean made = writeRow(root, name, ManifestProperties.write(properties), bound.isNew());
        // Of several creators only the one that wrote the row made it; an adopted one has its row already.
        boolean mine = made || (bound.isNew() && there.isPresent());
        keepBound(root, name, warehouse, made, mine ? maker : null);
        if (!mine) {
            return Outcome.THERE;
        }
        if (!bound.isNew() && maker != null) {
            bindings.unseeded(name, warehouseId, maker);
        }
        Announcements.add(EventType.NAMESPACE_CREATED, name);
        return bound.isNew() && made ? Outcome.MADE : Outcome.COMPLETED;
    }

    /** Whether nothing has a name: it is not bound, and not kept for what is in a trash. */
    public boolean isFree(String warehouseId, String name) {
        return bindings.find(name).isEmpty()
                && kept(name, warehouseId).isEmpty()
                && reserved.mayBeKeptIn(ObjectId.of(name))
                        .filter(other -> kept(name, other).isPresent())
                        .isEmpty();
    }

    /** The row that only keeps the name of a namespace in the root of a warehouse. */
    private Optional<ManifestEntry> kept(String name, String warehouseId) {
        return warehouses
                .find(warehouseId)
                .flatMap(warehouse -> manifests.view(root(warehouse)).find(name))
                .filter(row -> row.isTrashed() || row.isEnding());
    }

    /** Asked when the name is bound here: from then on it cannot come to be reserved elsewhere. */
    private void requireFree(String name, String warehouseId) {
        ObjectId id = ObjectId.of(name);
        Optional<ManifestEntry> kept = reserved.mayBeKeptIn(id)
                .filter(other -> !other.equals(warehouseId))
                .flatMap(other -> kept(name, other));
        if (kept.isPresent()) {
            bindings.unbind(name, warehouseId);
            throw reserved.taken(id, kept.get(), ErrorCode.NAMESPACE_ALREADY_EXISTS);
        }
    }

    private BindingRegistry.Bound bind(String name, Warehouse warehouse, @Nullable String maker) {
        BindingRegistry.Bound bound = bindings.bind(name, warehouse, maker);
        if (!bound.binding().warehouse().equals(warehouse.id())) {
            throw CatalogException.of(
                    ErrorCode.NAMESPACE_ALREADY_EXISTS,
                    "The namespace '" + name + "' is bound to another warehouse; choose another name.");
        }
        if (bound.binding().isShut()) {
            throw HierarchyErrors.beingUnbound(name);
        }
        return bound;
    }

    /** A drop that was under way may have taken the binding away after the row was written. */
    private void keepBound(CatalogRoot root, String name, Warehouse warehouse, boolean made, @Nullable String maker) {
        try {
            bind(name, warehouse, maker);
        } catch (CatalogException e) {
            if (made && e.code() == ErrorCode.NAMESPACE_ALREADY_EXISTS) {
                manifests.commit(
                        root,
                        view -> view.children(name).isEmpty()
                                ? ManifestChange.Plan.remove(name)
                                : ManifestChange.Plan.nothing());
            }
            throw e;
        }
    }

    /** Writes the row unless it is there; a failure that certainly wrote nothing takes a new binding back. */
    private boolean writeRow(CatalogRoot root, String name, @Nullable String metadata, boolean isNew) {
        boolean[] made = {false};
        try {
            manifests.commit(root, view -> {
                Optional<ManifestEntry> there = view.find(name);
                there.ifPresent(this::requireNamespace);
                made[0] = there.isEmpty();
                return made[0]
                        ? ManifestChange.Plan.put(ManifestEntry.namespace(name, metadata))
                        : ManifestChange.Plan.nothing();
            });
        } catch (CatalogException e) {
            boolean wroteNothing =
                    e.code() == ErrorCode.CONCURRENT_MODIFICATION || e.code() == ErrorCode.NAMESPACE_ALREADY_EXISTS;
            if (isNew && wroteNothing) {
                bindings.find(name).ifPresent(binding -> bindings.unbind(name, binding.warehouse()));
            }
            throw e;
        }
        return made[0];
    }

    /** A root may hold tables without a namespace, which another tool has put there. */
    private void requireNamespace(ManifestEntry entry) {
        if (entry.isTrashed() || entry.isEnding()) {
            throw reserved.taken(ObjectId.of(entry.id()), entry, ErrorCode.NAMESPACE_ALREADY_EXISTS);
        }
        if (!entry.isNamespace()) {
            throw CatalogException.of(
                    ErrorCode.NAMESPACE_ALREADY_EXISTS,
                    "The root of the warehouse holds a table '" + entry.id() + "'; choose another name.");
        }
    }

    /**
     * Takes a namespace out of the catalog without destroying anything; its warehouse can adopt it again. A repeat goes on with what a
     * crash has left.
     *
     * @param beforeUnbinding runs when nothing stands against it and nobody finds the way into the namespace, before the name is free;
     *     again where something came into it all the same. From its first run on a failure leaves the way in shut, and a repeat goes on
     * @param tieAgain undoes it as far as that goes, where a table has come into the namespace that must be reached again
     * @throws CatalogException code 1 when the name is not bound to this warehouse; code 3 naming the tables in it, those in the
     *     trash too
     */
    public void unbind(
            String warehouseId, String name, Consumer<ManifestView> beforeUnbinding, Consumer<ManifestView> tieAgain) {
        Warehouse warehouse = requireActive(warehouseId);
        Binding binding = bindings.find(name)
                .filter(found -> found.warehouse().equals(warehouseId))
                .orElseThrow(() -> Absence.namespace(ObjectId.of(name)));
        CatalogRoot root = root(warehouse);
        if (!binding.isShut()) {
            refuseTables(name, manifests.view(root));
            bindings.shut(name, warehouseId);
        }
        // Of one that was shut before the rights may be gone.
        boolean[] hasBegun = {binding.isShut()};
        try {
            empty(root, name, view -> {
                hasBegun[0] = true;
                beforeUnbinding.accept(view);
            });
        } catch (RuntimeException e) {
            if (!hasBegun[0]) {
                bindings.open(name, warehouseId);
            } else if (e instanceof CatalogException refusal && refusal.code() == ErrorCode.NAMESPACE_NOT_EMPTY) {
                tieAgain.accept(manifests.view(root));
                bindings.open(name, warehouseId);
            }
            throw e;
        }
        bindings.unbind(name, warehouseId);
    }

    /** Whoever had found the way into a namespace before it was shut may have made something since. */
    private void empty(CatalogRoot root, String name, Consumer<ManifestView> beforeUnbinding) {
        refuseTables(name, manifests.view(root));
        Set<String> ended;
        do {
            ended = below(name, manifests.view(root));
            beforeUnbinding.accept(manifests.view(root));
            refuseTables(name, manifests.view(root));
        } while (!ended.containsAll(below(name, manifests.view(root))));
    }

    private static Set<String> below(String name, ManifestView view) {
        return view.rows(row -> row.topLevel().equals(name)).stream()
                .map(ManifestEntry::id)
                .collect(Collectors.toSet());
    }

    /**
     * Unmakes what {@link #create} has made whole, unless another request of the maker has told the engine of it meanwhile, or something
     * has come into it. A crash in the middle leaves it shut, and an unbinding ends that.
     *
     * @param endRights takes back what the engine may have heard of it; it is unbound whether that works or not
     */
    public void undo(String warehouseId, String name, String maker, Runnable endRights) {
        if (!bindings.shutUnseeded(name, warehouseId, maker)) {
            return;
        }
        if (!removeRow(root(warehouses.require(warehouseId)), name)) {
            bindings.open(name, warehouseId);
            return;
        }
        try {
            endRights.run();
        } finally {
            bindings.unbind(name, warehouseId);
            Announcements.withdraw(EventType.NAMESPACE_CREATED, name);
        }
    }

    /** Removes the row of a namespace that holds nothing; says whether there is none now. */
    private boolean removeRow(CatalogRoot root, String name) {
        boolean[] isEmpty = {false};
        manifests.commit(root, view -> {
            isEmpty[0] = view.children(name).isEmpty();
            return isEmpty[0] && view.namespace(name).isPresent()
                    ? ManifestChange.Plan.remove(name)
                    : ManifestChange.Plan.nothing();
        });
        return isEmpty[0];
    }

    /** The properties of a warehouse's top-level namespace; code 1 when it is not there. */
    public Map<String, String> describe(String warehouseId, String name) {
        return manifests
                .view(root(warehouses.require(warehouseId)))
                .namespace(name)
                .map(entry -> ManifestProperties.read(entry.metadata()))
                .orElseThrow(() -> Absence.namespace(ObjectId.of(name)));
    }

    /**
     * Binds a namespace again that the warehouse's root holds.
     *
     * @throws CatalogException code 4 without the warehouse; code 15 when it is deactivated; code 2 when the name is bound elsewhere
     */
    public void rebind(String warehouseId, String name) {
        bind(name, requireActive(warehouseId), null);
    }

    /**
     * Removes the binding of a namespace whose row is gone; one that was made anew meanwhile keeps it, and so does one whose name is
     * not free yet, or that is being unbound.
     */
    public void forget(String name) {
        bindings.find(name)
                .flatMap(binding -> warehouses.find(binding.warehouse()))
                .filter(warehouse -> !isInUse(root(warehouse), name))
                .ifPresent(warehouse -> bindings.take(name, warehouse.id()).ifPresent(before -> {
                    if (manifests.view(root(warehouse)).namespace(name).isPresent()) {
                        bindings.putBack(name, before);
                    }
                }));
    }

    private boolean isInUse(CatalogRoot root, String name) {
        ManifestView view = manifests.view(root);
        return view.namespace(name).isPresent()
                || view.find(name).filter(ManifestEntry::isEnding).isPresent();
    }

    /** As {@link #forget}, for a warehouse that comes to its end: what is being unbound goes as well. */
    public void end(String warehouseId, String name) {
        bindings.open(name, warehouseId);
        forget(name);
    }

    /** Where the namespaces of a warehouse live, if there is such a warehouse. */
    public Optional<StorageProfile> home(String warehouseId) {
        return warehouses.find(warehouseId).map(this::home);
    }

    private StorageProfile home(Warehouse warehouse) {
        return profiles.existing(warehouse.root(), warehouse.storage());
    }

    private CatalogRoot root(Warehouse warehouse) {
        return home(warehouse).root();
    }

    private Warehouse requireActive(String id) {
        Warehouse warehouse = warehouses.require(id);
        if (warehouse.status() != Warehouse.Status.ACTIVE) {
            throw HierarchyErrors.deactivated(id);
        }
        return warehouse;
    }

    private static void refuseTables(String name, ManifestView view) {
        List<String> tables = new ArrayList<>();
        collectTables(name, view, tables);
        if (!tables.isEmpty()) {
            throw HierarchyErrors.holds("namespace", name, "tables", tables);
        }
    }

    private static void collectTables(String namespace, ManifestView view, List<String> found) {
        for (ManifestEntry child : view.children(namespace)) {
            if (found.size() >= 10) {
                return;
            }
            if (child.isTable() || child.isTrashed()) {
                found.add(child.id());
            } else {
                collectTables(child.id(), view, found);
            }
        }
    }
}
