package io.rask.catalog.grant;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.wire.AccessCheckRequest;
import io.rask.catalog.wire.AccessCheckResponse;
import io.rask.catalog.wire.AccessGraphRequest;
import io.rask.catalog.wire.AccessGraphResponse;
import io.rask.catalog.wire.GrantRequest;
import io.rask.catalog.wire.GrantResponse;
import io.rask.catalog.wire.GrantsResponse;
import io.rask.catalog.wire.PermissionsResponse;
import io.rask.catalog.wire.RevokeRequest;
import io.rask.catalog.wire.RevokeResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors of rights on tables. */
@RestController
class TableAccessController {
    private final AccessDesk desk;
    private final AccessMap map;

    TableAccessController(AccessDesk desk, AccessMap map) {
        this.desk = desk;
        this.map = map;
    }

    @PostMapping("/v1/table/{id}/access/list")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.TABLE)
    GrantsResponse list(ObjectId id) {
        return desk.list(AccessObject.table(id));
    }

    @PostMapping("/v1/table/{id}/access/check")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.TABLE)
    AccessCheckResponse check(ObjectId id, @Body AccessCheckRequest body) {
        return desk.check(AccessObject.table(id), body);
    }

    @PostMapping("/v1/table/{id}/access/graph")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.TABLE)
    AccessGraphResponse graph(ObjectId id, @Body AccessGraphRequest body, RequestContext context) {
        return map.graph(AccessObject.table(id), body, context.caller());
    }

    @PostMapping("/v1/table/{id}/access/grant")
    @Door(relation = Relation.CAN_GRANT, target = Target.TABLE, asks = Asked.GRANT)
    GrantResponse grant(ObjectId id, @Body GrantRequest body, RequestContext context) {
        return desk.give(AccessObject.table(id), body, context.principal());
    }

    @PostMapping("/v1/table/{id}/access/revoke")
    @Door(relation = Relation.CAN_REVOKE_GRANT, target = Target.TABLE)
    RevokeResponse revoke(ObjectId id, @Body RevokeRequest body) {
        return desk.take(AccessObject.table(id), body.principal(), body.rung());
    }

    @PostMapping("/v1/table/{id}/access/my-permissions")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
    PermissionsResponse mine(ObjectId id, RequestContext context) {
        return desk.permissions(AccessObject.table(id), context.principal());
    }
}
