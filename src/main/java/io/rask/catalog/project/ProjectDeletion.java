package io.rask.catalog.project;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.Role;
import io.rask.catalog.hierarchy.RoleRegistry;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.wire.DeleteProjectResponse;
import io.rask.catalog.wire.DryRunResponse;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** Deletes projects without warehouses: the roles, then the rights, then the record. The same request goes on with what was cut off. */
@Component
final class ProjectDeletion {
    private final ProjectRegistry projects;
    private final WarehouseRegistry warehouses;
    private final RoleRegistry roles;
    private final Ownership ownership;

    ProjectDeletion(ProjectRegistry projects, WarehouseRegistry warehouses, RoleRegistry roles, Ownership ownership) {
        this.projects = projects;
        this.warehouses = warehouses;
        this.roles = roles;
        this.ownership = ownership;
    }

    /** Code 3 when it is protected and not forced, or holds warehouses; code 4 when there is none. */
    DeleteProjectResponse delete(String id, boolean force, String by) {
        int[] revoked = {0};
        projects.delete(id, force, by, () -> warehouses.idsOf(id), () -> {
            for (Role role : roles.known(id)) {
                revoked[0] += end(role);
            }
            revoked[0] += ownership.ended(List.of(AccessObject.project(id)));
        });
        return new DeleteProjectResponse(id, revoked[0]);
    }

    /** A role that another request has ended meanwhile is ended. */
    private int end(Role role) {
        int[] revoked = {0};
        try {
            roles.end(role.name(), () -> revoked[0] = ownership.ended(List.of(AccessObject.role(role.name()))));
        } catch (CatalogException e) {
            if (roles.hasRecord(role.name())) {
                throw e;
            }
        }
        return revoked[0];
    }

    /** What {@link #delete} would do. */
    DryRunResponse plan(String id, boolean force) {
        projects.require(id);
        List<DryRunResponse.Planned> planned = new ArrayList<>();
        roles.of(id)
                .forEach(role -> planned.add(
                        new DryRunResponse.Planned("role", role.name().toString(), null)));
        planned.add(new DryRunResponse.Planned("project", id, null));
        return DryRuns.of(
                planned, null, List.of(() -> projects.requireDeletable(id, force, () -> warehouses.idsOf(id))));
    }
}
