package io.rask.catalog.grant;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.DoorCall;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.CreateRoleRequest;
import io.rask.catalog.wire.GrantRequest;
import io.rask.catalog.wire.GrantResponse;
import io.rask.catalog.wire.GrantsResponse;
import io.rask.catalog.wire.ListRolesResponse;
import io.rask.catalog.wire.MemberQuery;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.RevokeResponse;
import io.rask.catalog.wire.RoleResponse;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors of a project's roles, and of who is in them. */
@RestController
class RoleController {
    private final Roles roles;
    private final AccessDesk desk;

    RoleController(Roles roles, AccessDesk desk) {
        this.roles = roles;
        this.desk = desk;
    }

    @PostMapping("/v1/projects/{id}/roles")
    @Door(relation = Relation.CAN_CREATE_ROLE, target = Target.ROLE, mints = true)
    RoleResponse create(@PathVariable String id, @Body CreateRoleRequest body, DoorCall call) {
        return roles.create(call.targetRole(), call.principal());
    }

    @GetMapping("/v1/projects/{id}/roles")
    @Door(relation = Relation.CAN_READ_DATA, target = Target.PROJECT)
    ListRolesResponse list(@PathVariable String id, @Query PageQuery query) {
        return roles.list(id, PageRequest.of(query.pageToken(), query.limit()));
    }

    @DeleteMapping("/v1/projects/{id}/roles/{role}")
    @Door(relation = Relation.CAN_CREATE_ROLE, target = Target.ROLE, destructive = true)
    Object delete(@PathVariable String id, @PathVariable String role, DoorCall call) {
        RequestContext context = call.context();
        return context.dryRun() ? roles.plan(call.targetRole()) : roles.delete(call.targetRole());
    }

    @GetMapping("/v1/projects/{id}/roles/{role}/members")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.ROLE)
    GrantsResponse members(@PathVariable String id, @PathVariable String role, DoorCall call) {
        return desk.list(AccessObject.role(call.targetRole()));
    }

    @PutMapping("/v1/projects/{id}/roles/{role}/members")
    @Door(relation = Relation.CAN_GRANT, target = Target.ROLE, asks = Asked.GRANT)
    GrantResponse put(@PathVariable String id, @PathVariable String role, @Body GrantRequest body, DoorCall call) {
        return desk.give(AccessObject.role(call.targetRole()), body, call.principal());
    }

    @DeleteMapping("/v1/projects/{id}/roles/{role}/members")
    @Door(relation = Relation.CAN_REVOKE_GRANT, target = Target.ROLE)
    RevokeResponse remove(@PathVariable String id, @PathVariable String role, @Query MemberQuery query, DoorCall call) {
        return desk.take(AccessObject.role(call.targetRole()), query.principal(), query.rung());
    }
}
