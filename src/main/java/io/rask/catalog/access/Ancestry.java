package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.hierarchy.Binding;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.hierarchy.Warehouse;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.CatalogProperties;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** What lies above an object, as its id and the bindings say it. */
@Component
public final class Ancestry {
    /** What holds the top-level namespaces where there are no warehouses; no warehouse can be called that. */
    public static final AccessObject ROOT = AccessObject.warehouse("lance_catalog");

    private static final Set<Kind> HELD_BY_NAMESPACES = EnumSet.of(Kind.NAMESPACE, Kind.TABLE, Kind.MATERIALIZED_VIEW);

    private final CatalogProperties properties;
    private final BindingRegistry bindings;
    private final WarehouseRegistry warehouses;

    Ancestry(CatalogProperties properties, BindingRegistry bindings, WarehouseRegistry warehouses) {
        this.properties = properties;
        this.bindings = bindings;
        this.warehouses = warehouses;
    }

    /**
     * What directly holds an object that has an id of segments; empty for a top-level namespace that is bound nowhere while no default
     * warehouse would take it.
     */
    public Optional<AccessObject> parent(ObjectId id) {
        if (id.depth() > 1) {
            return Optional.of(AccessObject.namespace(id.parent()));
        }
        if (!properties.warehousesEnabled()) {
            return Optional.of(ROOT);
        }
        return warehouse(id.name())
                .or(() -> Optional.ofNullable(properties.defaultWarehouse()).map(AccessObject::warehouse));
    }

    /** What a top-level namespace is bound to. */
    Optional<AccessObject> warehouse(String topLevel) {
        return properties.warehousesEnabled()
                ? bindings.find(topLevel).map(Binding::warehouse).map(AccessObject::warehouse)
                : Optional.of(ROOT);
    }

    /** The namespaces and the warehouse above an object, the nearest first. */
    List<AccessObject> above(AccessObject object, AccessObject parent) {
        if (!HELD_BY_NAMESPACES.contains(object.kind())) {
            return List.of();
        }
        if (parent.kind() == Kind.WAREHOUSE) {
            return List.of(parent);
        }
        List<AccessObject> above = new ArrayList<>();
        ObjectId id = Delimiter.STORED.split(object.id());
        for (ObjectId at = id.parent(); at.depth() > 0; at = at.parent()) {
            above.add(AccessObject.namespace(at));
        }
        warehouse(id.segments().getFirst()).ifPresent(above::add);
        return above;
    }

    /** The same for one that is there, or was until now. */
    List<AccessObject> above(AccessObject object) {
        if (!HELD_BY_NAMESPACES.contains(object.kind())) {
            return List.of();
        }
        ObjectId id = Delimiter.STORED.split(object.id());
        return parent(id).map(parent -> above(object, parent)).orElse(List.of());
    }

    /** The warehouse that an object is or lies in; empty where there are none, and for what lies in none. */
    public Optional<AccessObject> warehouse(AccessObject object) {
        if (object.kind() == Kind.WAREHOUSE) {
            return Optional.of(object).filter(each -> !each.equals(ROOT));
        }
        return HELD_BY_NAMESPACES.contains(object.kind())
                ? warehouse(Delimiter.STORED.split(object.id()).segments().getFirst())
                        .filter(each -> !each.equals(ROOT))
                : Optional.empty();
    }

    /** The project that an object is or lies in; empty where there are none, and for what lies in none. */
    public Optional<String> project(AccessObject object) {
        return switch (object.kind()) {
            case PROJECT -> Optional.of(object.id());
            case ROLE -> Optional.of(RoleName.of(object.id()).project());
            case ESTATE, TRANSACTION -> Optional.empty();
            case WAREHOUSE, NAMESPACE, TABLE, MATERIALIZED_VIEW ->
                warehouse(object)
                        .flatMap(warehouse -> warehouses.find(warehouse.id()))
                        .map(Warehouse::project);
        };
    }

    /** All that an object lies in up to its project, the nearest first. */
    public List<AccessObject> lineage(AccessObject object) {
        List<AccessObject> lineage = new ArrayList<>();
        if (object.kind() == Kind.MATERIALIZED_VIEW) {
            lineage.add(new AccessObject(Kind.TABLE, object.id()));
        }
        lineage.addAll(above(object));
        project(object)
                .map(AccessObject::project)
                .filter(each -> !each.equals(object))
                .ifPresent(lineage::add);
        return lineage;
    }
}
