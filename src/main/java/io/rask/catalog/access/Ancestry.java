package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.hierarchy.Binding;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.CatalogProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What lies above an object, as its id and the bindings say it. */
@Component
public final class Ancestry {
    /** What holds the top-level namespaces where there are no warehouses; no warehouse can be called that. */
    public static final AccessObject ROOT = AccessObject.warehouse("lance_catalog");

    private final CatalogProperties properties;
    private final BindingRegistry bindings;

    Ancestry(CatalogProperties properties, BindingRegistry bindings) {
        this.properties = properties;
        this.bindings = bindings;
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
        if (object.kind() != Kind.NAMESPACE && object.kind() != Kind.TABLE) {
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
        if (object.kind() != Kind.NAMESPACE && object.kind() != Kind.TABLE) {
            return List.of();
        }
        ObjectId id = Delimiter.STORED.split(object.id());
        return parent(id).map(parent -> above(object, parent)).orElse(List.of());
    }
}
