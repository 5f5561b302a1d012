package io.rask.catalog.hierarchy;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StorageProfiles;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Finds where an object lives: top-level namespace, binding, warehouse, root. Nothing on the way is taken from memory alone. */
@Component
public final class Locator {
    private final CatalogProperties properties;
    private final BindingRegistry bindings;
    private final WarehouseRegistry warehouses;
    private final StorageProfiles profiles;
    private final Manifests manifests;
    private volatile boolean singleRootReady;

    public Locator(
            CatalogProperties properties,
            BindingRegistry bindings,
            WarehouseRegistry warehouses,
            StorageProfiles profiles,
            Manifests manifests) {
        this.properties = properties;
        this.bindings = bindings;
        this.warehouses = warehouses;
        this.profiles = profiles;
        this.manifests = manifests;
    }

    /** Whether there are warehouses; without them every object lives in the one root. */
    public boolean hasWarehouses() {
        return properties.warehousesEnabled();
    }

    /** Where everything lives when there are no warehouses. */
    public StorageProfile single() {
        StorageProfile profile = profiles.single();
        if (!singleRootReady) {
            manifests.initialise(profile.root());
            singleRootReady = true;
        }
        return profile;
    }

    /**
     * Where the object lives, or would live; empty when its top-level namespace is bound nowhere.
     *
     * @throws io.rask.catalog.problem.CatalogException code 15 when the warehouse is deactivated or has no record; code 17 when
     *     a record cannot be read
     */
    public Optional<StorageProfile> locate(ObjectId id) {
        if (!hasWarehouses()) {
            return Optional.of(single());
        }
        return bindings.find(id.segments().getFirst())
                .filter(binding -> !binding.isShut())
                .map(binding -> profileOf(binding.warehouse()));
    }

    /**
     * Every root there is, whether it serves requests or not: for decisions that must know of every table.
     *
     * @throws io.rask.catalog.problem.CatalogException code 17 when a record cannot be read, or the server may no longer reach one
     *     of the roots
     */
    public List<WarehouseHome> everyHome() {
        if (!hasWarehouses()) {
            return List.of(new WarehouseHome(null, single()));
        }
        return warehouses.known().stream()
                .map(found -> new WarehouseHome(found.project(), profile(found)))
                .toList();
    }

    /**
     * The roots that serve requests, each with the top-level namespaces bound to it.
     *
     * @throws io.rask.catalog.problem.CatalogException code 17 when a record cannot be read
     */
    public Map<StorageProfile, Set<String>> served() {
        Map<String, Set<String>> bound = new HashMap<>();
        bindings.all().stream()
                .filter(binding -> !binding.isShut())
                .forEach(binding -> bound.computeIfAbsent(binding.warehouse(), any -> new HashSet<>())
                        .add(binding.namespace()));
        Map<StorageProfile, Set<String>> served = new LinkedHashMap<>();
        warehouses.known().stream()
                .filter(found -> found.status() == Warehouse.Status.ACTIVE && bound.containsKey(found.id()))
                .forEach(found -> served.put(profile(found), bound.getOrDefault(found.id(), Set.of())));
        return served;
    }

    /** The storage of a warehouse, whether it serves requests or not. */
    public StorageProfile profile(Warehouse warehouse) {
        return profiles.existing(warehouse.root(), warehouse.storage());
    }

    /**
     * The storage of the warehouse that lives at a root, whether it serves requests or not; empty when there is none any more.
     *
     * @param root as {@link io.rask.catalog.platform.StoreUri#external} spells it
     */
    public Optional<StorageProfile> atRoot(String root) {
        if (!hasWarehouses()) {
            return Optional.of(single()).filter(home -> home.place().external().equals(root));
        }
        return warehouses.known().stream()
                .filter(warehouse -> warehouse.root().equals(root))
                .findFirst()
                .map(warehouse -> profiles.existing(warehouse.root(), warehouse.storage()));
    }

    /** The storage of a warehouse; code 4 when there is none, code 15 when it is deactivated. */
    public StorageProfile ofWarehouse(String id) {
        warehouses.require(id);
        return profileOf(id);
    }

    private StorageProfile profileOf(String warehouse) {
        return warehouses
                .find(warehouse)
                .filter(found -> found.status() == Warehouse.Status.ACTIVE)
                .map(this::profile)
                .orElseThrow(() -> HierarchyErrors.deactivated(warehouse));
    }
}
