package io.rask.catalog.project;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.ProjectAdmins;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Seeding;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.hierarchy.Project;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.Warehouse;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.CreateProjectRequest;
import io.rask.catalog.wire.ListProjectsResponse;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.ProjectResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The project doors. */
@RestController
class ProjectController {
    private final ProjectRegistry projects;
    private final WarehouseRegistry warehouses;
    private final ProjectDeletion deletion;
    private final Seeding seeding;
    private final Authorization authorization;
    private final ObjectProvider<ProjectAdmins> admins;

    ProjectController(
            ProjectRegistry projects,
            WarehouseRegistry warehouses,
            ProjectDeletion deletion,
            Seeding seeding,
            Authorization authorization,
            ObjectProvider<ProjectAdmins> admins) {
        this.admins = admins;
        this.seeding = seeding;
        this.authorization = authorization;
        this.deletion = deletion;
        this.projects = projects;
        this.warehouses = warehouses;
    }

    @PostMapping("/v1/projects")
    @Door(relation = Relation.CAN_CREATE_PROJECT, target = Target.PROJECT, mints = true)
    ProjectResponse create(@Body CreateProjectRequest body, RequestContext context) {
        String id = String.valueOf(body.id());
        seeding.clear(AccessObject.project(id), () -> projects.find(id).isEmpty());
        Project project = projects.create(id, context.principal().subject());
        requireSeen(project, context);
        seeding.once(
                context.principal(),
                AccessObject.project(id),
                AccessObject.ESTATE,
                () -> projects.awaitsOwner(id, context.principal().subject()),
                () -> projects.hasOwner(id));
        return response(project, warehouses.all(), admins(id, context));
    }

    /** What somebody else has made is told to whoever may see it, and to others no more than that the id is taken. */
    private void requireSeen(Project project, RequestContext context) {
        Question sees =
                new Question(context.principal(), Relation.CAN_OBSERVE_EVENTS, AccessObject.project(project.id()));
        if (!project.createdBy().equals(context.principal().subject())
                && !authorization
                        .verdicts(context.caller(), List.of(sees), List.of())
                        .getFirst()) {
            throw CatalogException.of(
                    ErrorCode.NAMESPACE_ALREADY_EXISTS,
                    "The id '" + project.id() + "' is taken by another project; choose another id.");
        }
    }

    @GetMapping("/v1/projects")
    @Door(relation = Relation.CAN_OBSERVE_EVENTS, target = Target.ESTATE, filtered = true)
    ListProjectsResponse list(@Query PageQuery query) {
        PageRequest.Page<Project> page =
                PageRequest.of(query.pageToken(), query.limit()).cut(projects.all(), Project::id);
        List<Warehouse> all = warehouses.all();
        return new ListProjectsResponse(
                page.items().stream()
                        .map(project -> response(project, all, null))
                        .toList(),
                page.next());
    }

    @GetMapping("/v1/projects/{id}")
    @Door(relation = Relation.CAN_OBSERVE_EVENTS, target = Target.PROJECT)
    ProjectResponse get(@PathVariable String id, RequestContext context) {
        return response(projects.require(id), warehouses.all(), admins(id, context));
    }

    private List<String> admins(String id, RequestContext context) {
        ProjectAdmins known = admins.getIfAvailable();
        return known == null ? List.of() : known.of(context.principal(), id);
    }

    @DeleteMapping("/v1/projects/{id}")
    @Door(relation = Relation.CAN_ADMINISTER, target = Target.PROJECT, destructive = true, refusesProtected = true)
    Object delete(@PathVariable String id, RequestContext context) {
        return context.dryRun()
                ? deletion.plan(id, context.force())
                : deletion.delete(id, context.force(), context.principal().subject());
    }

    private static ProjectResponse response(Project project, List<Warehouse> all, @Nullable List<String> admins) {
        List<String> mine = all.stream()
                .filter(warehouse -> warehouse.project().equals(project.id()))
                .map(Warehouse::id)
                .sorted()
                .toList();
        return new ProjectResponse(
                project.id(),
                mine,
                admins,
                project.isProtected(),
                project.createdAt().toString(),
                project.createdBy());
    }
}
