package io.rask.catalog.door;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import org.springframework.stereotype.Component;

/** Holds that what the target lives in is there, before anyone is asked about rights. The commit itself looks again. */
@Component
final class ParentGuard implements Guard {
    private final ProjectRegistry projects;
    private final WarehouseRegistry warehouses;
    private final Locator locator;
    private final Manifests manifests;

    ParentGuard(ProjectRegistry projects, WarehouseRegistry warehouses, Locator locator, Manifests manifests) {
        this.projects = projects;
        this.warehouses = warehouses;
        this.locator = locator;
        this.manifests = manifests;
    }

    @Override
    public Step step() {
        return Step.PARENT;
    }

    @Override
    public void check(DoorCall call) {
        if (isAboveNamespaces(call) && !call.door().withoutWarehouses() && !locator.hasWarehouses()) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED, "This server has no warehouses (lance.warehouses-enabled is false).");
        }
        switch (call.door().parent()) {
            case PROJECT -> projects.requireOpen(call.project().orElseThrow());
            case WAREHOUSE -> warehouses.require(call.warehouse().orElseThrow());
            case NAMESPACE -> requireNamespace(call.targetObject());
            case NONE, ESTATE, ROLE, TABLE, MATERIALIZED_VIEW, TRANSACTION -> {}
        }
        call.destination().ifPresent(this::requireNamespace);
    }

    private static boolean isAboveNamespaces(DoorCall call) {
        Target target = call.door().target();
        return target == Target.ESTATE
                || target == Target.PROJECT
                || target == Target.ROLE
                || target == Target.WAREHOUSE
                || call.door().parent() == Target.WAREHOUSE;
    }

    private void requireNamespace(ObjectId id) {
        if (id.depth() <= 1) {
            return;
        }
        ObjectId parent = id.parent();
        boolean isThere = locator.locate(id)
                .map(home ->
                        manifests.view(home.root()).namespace(parent.stored()).isPresent())
                .orElse(false);
        if (!isThere) {
            throw Absence.namespace(parent);
        }
    }
}
