package io.rask.catalog.grant;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.door.Existence;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.hierarchy.RoleRegistry;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import org.springframework.stereotype.Component;

/** Whether that is there which rights are held on, and whether something may still be given on it. */
@Component
final class GovernedObjects {
    private final Existence existence;
    private final Locator locator;
    private final ProjectRegistry projects;
    private final RoleRegistry roles;
    private final WarehouseRegistry warehouses;
    private final Ancestry ancestry;

    GovernedObjects(
            Existence existence,
            Locator locator,
            ProjectRegistry projects,
            RoleRegistry roles,
            WarehouseRegistry warehouses,
            Ancestry ancestry) {
        this.existence = existence;
        this.locator = locator;
        this.projects = projects;
        this.roles = roles;
        this.warehouses = warehouses;
        this.ancestry = ancestry;
    }

    /** @throws CatalogException code 4, or code 1 for a namespace, when it is not there; code 15 below a deactivated warehouse */
    void require(AccessObject object) {
        switch (object.kind()) {
            case PROJECT -> projects.require(object.id());
            case ROLE -> roles.require(RoleName.of(object.id()));
            case WAREHOUSE -> warehouses.require(object.id());
            case NAMESPACE -> requireNamespace(Delimiter.STORED.split(object.id()));
            case TABLE -> requireTable(Delimiter.STORED.split(object.id()));
            case MATERIALIZED_VIEW -> requireView(Delimiter.STORED.split(object.id()));
            case ESTATE, TRANSACTION -> throw new IllegalStateException("There are no doors of rights on it.");
        }
    }

    /**
     * The same before something is given on it.
     *
     * @throws CatalogException as {@link #require}; code 14 when it, or what it lies in, is being deleted
     */
    void requireOpen(AccessObject object) {
        require(object);
        ancestry.warehouse(object).ifPresent(warehouse -> warehouses.requireOpen(warehouse.id()));
        ancestry.project(object).ifPresent(projects::requireOpen);
    }

    /**
     * Looks at a table or view, which was there before, once more: what was said of its name may hold under another by now.
     *
     * @throws CatalogException code 14 when nothing has the name any more; code 15 below a deactivated warehouse
     */
    void requireSameName(AccessObject object) {
        if (object.kind() != Kind.TABLE && object.kind() != Kind.MATERIALIZED_VIEW) {
            return;
        }
        try {
            require(object);
        } catch (CatalogException e) {
            throw e.code() == ErrorCode.TABLE_NOT_FOUND
                    ? CatalogException.of(
                            ErrorCode.CONCURRENT_MODIFICATION,
                            "'" + object.id()
                                    + "' was renamed or dropped meanwhile. If it was renamed, look at what is given under the"
                                    + " name it has now, and repeat the request there.",
                            e)
                    : e;
        }
    }

    private void requireNamespace(ObjectId id) {
        if (id.isRoot()) {
            throw CatalogException.invalid("Nothing is given on the root; give it on warehouses or namespaces.");
        }
        if (isNowhere(id) || !existence.namespace(id)) {
            throw Absence.namespace(id);
        }
    }

    /** Refuses below a warehouse that is switched off: the doors of rights are as shut there as all others. */
    private boolean isNowhere(ObjectId id) {
        return locator.locate(id).isEmpty();
    }

    private void requireTable(ObjectId id) {
        if (isNowhere(id) || !existence.table(id)) {
            throw Absence.table(id);
        }
    }

    private void requireView(ObjectId id) {
        if (isNowhere(id) || !existence.view(id)) {
            throw Absence.view(id);
        }
    }
}
