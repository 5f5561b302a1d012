package io.rask.catalog.estate;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.hierarchy.Binding;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.Project;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.Role;
import io.rask.catalog.hierarchy.RoleRegistry;
import io.rask.catalog.hierarchy.Warehouse;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestProperties;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Reads what is there, in warehouses that are shut too. What cannot be read is noted with the kinds of objects it may hold. */
@Component
final class InventoryReader {
    private static final Logger log = LoggerFactory.getLogger(InventoryReader.class);
    private static final List<Kind> IN_WAREHOUSES = List.of(Kind.NAMESPACE, Kind.TABLE, Kind.MATERIALIZED_VIEW);

    private final ProjectRegistry projects;
    private final RoleRegistry roles;
    private final WarehouseRegistry warehouses;
    private final BindingRegistry bindings;
    private final Locator locator;
    private final Manifests manifests;

    InventoryReader(
            ProjectRegistry projects,
            RoleRegistry roles,
            WarehouseRegistry warehouses,
            BindingRegistry bindings,
            Locator locator,
            Manifests manifests) {
        this.projects = projects;
        this.roles = roles;
        this.warehouses = warehouses;
        this.bindings = bindings;
        this.locator = locator;
        this.manifests = manifests;
    }

    /** What is there now. */
    Inventory read() {
        Inventory found = new Inventory();
        found.addLoose(AccessObject.ESTATE);
        found.addLoose(Ancestry.ROOT);
        attempt(
                found,
                List.of(Kind.PROJECT),
                "the records of projects",
                () -> projects.known().forEach(project -> add(found, project)));
        attempt(
                found,
                List.of(Kind.ROLE),
                "the records of roles",
                () -> projects.known().forEach(project -> addRoles(found, project.id())));
        attempt(
                found,
                List.of(Kind.WAREHOUSE),
                "the records of warehouses",
                () -> warehouses.known().forEach(warehouse -> add(found, warehouse)));
        attempt(found, IN_WAREHOUSES, "the records of warehouses and bindings", () -> addContents(found));
        return found;
    }

    private static void attempt(Inventory found, List<Kind> kinds, String what, Runnable read) {
        try {
            read.run();
        } catch (CatalogException e) {
            log.warn("What is there is not known whole: {}.", what, e);
            kinds.forEach(kind -> found.unread(kind, what + " cannot be read: " + e.text()));
        }
    }

    private static void add(Inventory found, Project project) {
        AccessObject object = AccessObject.project(project.id());
        if (project.deleting()) {
            found.addLoose(object);
        } else {
            found.add(object, AccessObject.ESTATE);
        }
    }

    private void addRoles(Inventory found, String project) {
        for (Role role : roles.known(project)) {
            AccessObject object = AccessObject.role(role.name());
            if (role.isThere()) {
                found.add(object, AccessObject.project(project));
            } else {
                found.addLoose(object);
            }
        }
    }

    private static void add(Inventory found, Warehouse warehouse) {
        AccessObject object = AccessObject.warehouse(warehouse.id());
        if (isLeaving(warehouse)) {
            found.addLoose(object);
        } else {
            found.add(object, AccessObject.project(warehouse.project()));
        }
    }

    private static boolean isLeaving(Warehouse warehouse) {
        return warehouse.status() == Warehouse.Status.DELETING;
    }

    private void addContents(Inventory found) {
        if (!locator.hasWarehouses()) {
            StorageProfile home = locator.single();
            found.single(home);
            attempt(
                    found,
                    IN_WAREHOUSES,
                    "the manifest of the root",
                    () -> addRows(found, home, new Top(Ancestry.ROOT, Map.of(), Set.of(), false)));
            return;
        }
        Map<String, String> bound = new HashMap<>();
        Set<String> shut = new HashSet<>();
        for (Binding binding : bindings.all()) {
            bound.put(binding.namespace(), binding.warehouse());
            if (binding.isShut()) {
                shut.add(binding.namespace());
            }
            // One that is bound and has no row is being made, or dropped.
            found.addLoose(AccessObject.namespace(ObjectId.of(binding.namespace())));
        }
        for (Warehouse warehouse : warehouses.known()) {
            attempt(found, IN_WAREHOUSES, "the manifest of the warehouse " + warehouse.id(), () -> {
                StorageProfile home = locator.profile(warehouse);
                addRows(
                        found,
                        home,
                        new Top(AccessObject.warehouse(warehouse.id()), bound, shut, isLeaving(warehouse)));
                bound.forEach((name, of) -> {
                    if (of.equals(warehouse.id()) && !isLeaving(warehouse)) {
                        found.bound(name, home);
                    }
                });
            });
        }
    }

    /**
     * What top-level namespaces of a root lie in.
     *
     * @param bound the warehouse of each top-level namespace that is bound
     * @param shut those that are being unbound, the rights on which are being taken back
     */
    private record Top(AccessObject warehouse, Map<String, String> bound, Set<String> shut, boolean isLeaving) {
        @Nullable
        String of(String topLevel) {
            return warehouse.equals(Ancestry.ROOT) ? warehouse.id() : bound.get(topLevel);
        }
    }

    private void addRows(Inventory found, StorageProfile home, Top top) {
        ManifestView view = manifests.view(home.root());
        for (ManifestEntry row : view.rows(any -> true)) {
            String bound = top.of(row.topLevel());
            if (bound != null && !bound.equals(top.warehouse().id())) {
                // The name is another's by now, whose manifest says what is there.
                continue;
            }
            // What is in the trash waits for its return, though its top-level namespace is bound nowhere then.
            boolean isTied = (bound != null || row.isTrashed())
                    && !top.isLeaving()
                    && !top.shut().contains(row.topLevel());
            addRow(found, row, top.warehouse(), isTied);
        }
    }

    private static void addRow(Inventory found, ManifestEntry row, AccessObject warehouse, boolean isTied) {
        ObjectId id = Delimiter.STORED.split(row.id());
        ManifestEntry bare = row.isEnding() ? row.restored() : row;
        boolean stays = isTied && !row.isEnding();
        for (ObjectId above = id.parent(); above.depth() > 0; above = above.parent()) {
            found.addLoose(AccessObject.namespace(above));
        }
        if (bare.isNamespace() || (row.isTrashed() && bare.restored().isNamespace())) {
            AccessObject parent = id.depth() == 1 ? warehouse : AccessObject.namespace(id.parent());
            put(found, AccessObject.namespace(id), parent, stays);
            return;
        }
        if (id.depth() == 1) {
            // Another tool has put a table at the top of the root.
            found.addLoose(AccessObject.table(id));
            return;
        }
        boolean isTable = bare.isTable() || (row.isTrashed() && bare.restored().isTable());
        AccessObject namespace = AccessObject.namespace(id.parent());
        put(found, AccessObject.table(id), namespace, stays && isTable);
        if (isView(row)) {
            put(found, AccessObject.view(id), AccessObject.table(id), stays && isTable);
        }
        if (!isTable && !row.isHeldBack()) {
            // A type that only newer versions know.
            found.addLoose(AccessObject.namespace(id));
        }
    }

    private static void put(Inventory found, AccessObject object, AccessObject parent, boolean isTied) {
        if (isTied) {
            found.add(object, parent);
        } else {
            found.addLoose(object);
        }
    }

    private static boolean isView(ManifestEntry row) {
        String metadata = row.metadata();
        return metadata != null
                && metadata.contains(ViewKeys.KIND)
                && ManifestProperties.read(metadata).containsKey(ViewKeys.KIND);
    }
}
