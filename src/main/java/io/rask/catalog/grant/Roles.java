package io.rask.catalog.grant;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Grants;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Seeding;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.Role;
import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.hierarchy.RoleRegistry;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.DeleteRoleResponse;
import io.rask.catalog.wire.DryRunResponse;
import io.rask.catalog.wire.ListRolesResponse;
import io.rask.catalog.wire.RoleResponse;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Makes and ends roles: a record before the engine hears of one, and the rights before the record when it ends. */
@Component
final class Roles {
    private final RoleRegistry roles;
    private final ProjectRegistry projects;
    private final Seeding seeding;
    private final Ownership ownership;
    private final ObjectProvider<Grants> engine;

    Roles(
            RoleRegistry roles,
            ProjectRegistry projects,
            Seeding seeding,
            Ownership ownership,
            ObjectProvider<Grants> engine) {
        this.roles = roles;
        this.projects = projects;
        this.seeding = seeding;
        this.ownership = ownership;
        this.engine = engine;
    }

    /**
     * Makes a role; one that is there is given as it is, and what was cut off is ended.
     *
     * @throws CatalogException code 0 without an engine, 4 when there is no such project, 14 while the project or a role of the name is
     *     being taken away
     */
    RoleResponse create(RoleName name, Principal maker) {
        EngineNeeded.from(engine);
        projects.requireOpen(name.project());
        seeding.clear(AccessObject.role(name), () -> !roles.hasRecord(name));
        Role role = roles.begin(name, maker.subject());
        if (!role.ready()) {
            requireStillOpen(name);
            tie(name, maker);
            role = ready(name);
        }
        return told(role);
    }

    /** Another creation of the same role may be further: what it has made stays, and what was given since. */
    private void tie(RoleName name, Principal maker) {
        try {
            ownership.owned(maker, AccessObject.role(name), AccessObject.project(name.project()));
        } catch (RuntimeException e) {
            try {
                if (roles.giveUp(name)) {
                    forget(name);
                }
            } catch (RuntimeException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
    }

    /** Takes back what was said of a role that has no record; of one that was made since, nothing. */
    private void forget(RoleName name) {
        ownership.cleared(AccessObject.role(name), () -> !roles.hasRecord(name));
    }

    /** Whoever took the role away meanwhile, or its project, may not have seen what the engine was told after. */
    private Role ready(RoleName name) {
        try {
            return roles.ready(name);
        } catch (CatalogException e) {
            if (e.code() == ErrorCode.CONCURRENT_MODIFICATION) {
                forget(name);
            }
            throw e;
        }
    }

    /** A deletion of the project that began before the record of the role was there does not see it. */
    private void requireStillOpen(RoleName name) {
        try {
            projects.requireOpen(name.project());
        } catch (CatalogException e) {
            roles.giveUp(name);
            throw e;
        }
    }

    /** @throws CatalogException code 0 without an engine, 4 when there is no such project */
    ListRolesResponse list(String project, PageRequest asked) {
        EngineNeeded.from(engine);
        projects.require(project);
        PageRequest.Page<Role> page =
                asked.cut(roles.of(project), role -> role.name().name());
        return new ListRolesResponse(page.items().stream().map(Roles::told).toList(), page.next());
    }

    /**
     * Ends a role, and all that was given to it. A repeat goes on with what was cut off.
     *
     * @throws CatalogException code 0 without an engine, 4 when there is no such role
     */
    DeleteRoleResponse delete(RoleName name) {
        EngineNeeded.from(engine);
        int[] revoked = {0};
        roles.end(name, () -> revoked[0] = ownership.ended(List.of(AccessObject.role(name))));
        return new DeleteRoleResponse(name.project(), name.name(), revoked[0]);
    }

    /** What {@link #delete} would do. */
    DryRunResponse plan(RoleName name) {
        EngineNeeded.from(engine);
        roles.require(name);
        return DryRuns.of(List.of(new DryRunResponse.Planned("role", name.toString(), null)), null, List.of());
    }

    private static RoleResponse told(Role role) {
        return new RoleResponse(
                role.name().project(),
                role.name().name(),
                "role:" + role.name(),
                role.createdAt().toString(),
                role.createdBy());
    }
}
