package io.rask.catalog.grant;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.wire.AccessGraphRequest;
import io.rask.catalog.wire.AccessGraphResponse;
import io.rask.catalog.wire.GrantRequest;
import io.rask.catalog.wire.GrantResponse;
import io.rask.catalog.wire.GrantsResponse;
import io.rask.catalog.wire.MemberQuery;
import io.rask.catalog.wire.PermissionsResponse;
import io.rask.catalog.wire.RevokeResponse;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors of who is what in a project, and how that comes to be. */
@RestController
class MemberController {
    private final AccessDesk desk;
    private final AccessMap map;

    MemberController(AccessDesk desk, AccessMap map) {
        this.desk = desk;
        this.map = map;
    }

    @GetMapping("/v1/projects/{id}/members")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.PROJECT)
    GrantsResponse list(@PathVariable String id) {
        return desk.list(AccessObject.project(id));
    }

    @PutMapping("/v1/projects/{id}/members")
    @Door(relation = Relation.CAN_GRANT, target = Target.PROJECT, asks = Asked.GRANT)
    GrantResponse put(@PathVariable String id, @Body GrantRequest body, RequestContext context) {
        return desk.give(AccessObject.project(id), body, context.principal());
    }

    @DeleteMapping("/v1/projects/{id}/members")
    @Door(relation = Relation.CAN_REVOKE_GRANT, target = Target.PROJECT)
    RevokeResponse remove(@PathVariable String id, @Query MemberQuery query) {
        return desk.take(AccessObject.project(id), query.principal(), query.rung());
    }

    @PostMapping("/v1/projects/{id}/access/my-permissions")
    @Door(relation = Relation.CAN_READ_DATA, target = Target.PROJECT)
    PermissionsResponse mine(@PathVariable String id, RequestContext context) {
        return desk.permissions(AccessObject.project(id), context.principal());
    }

    @PostMapping("/v1/projects/{id}/access/graph")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.PROJECT)
    AccessGraphResponse graph(@PathVariable String id, @Body AccessGraphRequest body, RequestContext context) {
        return map.graph(AccessObject.project(id), body, context.caller());
    }
}
