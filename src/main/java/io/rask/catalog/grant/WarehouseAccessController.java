package io.rask.catalog.grant;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.wire.AccessCheckRequest;
import io.rask.catalog.wire.AccessCheckResponse;
import io.rask.catalog.wire.AccessGraphRequest;
import io.rask.catalog.wire.AccessGraphResponse;
import io.rask.catalog.wire.GrantRequest;
import io.rask.catalog.wire.GrantResponse;
import io.rask.catalog.wire.GrantsResponse;
import io.rask.catalog.wire.ManagedAccessRequest;
import io.rask.catalog.wire.ManagedAccessResponse;
import io.rask.catalog.wire.PermissionsResponse;
import io.rask.catalog.wire.RevokeRequest;
import io.rask.catalog.wire.RevokeResponse;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors of rights on warehouses. */
@RestController
class WarehouseAccessController {
    private final AccessDesk desk;
    private final AccessMap map;

    WarehouseAccessController(AccessDesk desk, AccessMap map) {
        this.desk = desk;
        this.map = map;
    }

    @PostMapping("/v1/warehouse/{id}/access/list")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.WAREHOUSE)
    GrantsResponse list(@PathVariable String id) {
        return desk.list(AccessObject.warehouse(id));
    }

    @PostMapping("/v1/warehouse/{id}/access/check")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.WAREHOUSE)
    AccessCheckResponse check(@PathVariable String id, @Body AccessCheckRequest body) {
        return desk.check(AccessObject.warehouse(id), body);
    }

    @PostMapping("/v1/warehouse/{id}/access/graph")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.WAREHOUSE)
    AccessGraphResponse graph(@PathVariable String id, @Body AccessGraphRequest body, RequestContext context) {
        return map.graph(AccessObject.warehouse(id), body, context.caller());
    }

    @PostMapping("/v1/warehouse/{id}/access/grant")
    @Door(relation = Relation.CAN_GRANT, target = Target.WAREHOUSE, asks = Asked.GRANT)
    GrantResponse grant(@PathVariable String id, @Body GrantRequest body, RequestContext context) {
        return desk.give(AccessObject.warehouse(id), body, context.principal());
    }

    @PostMapping("/v1/warehouse/{id}/access/revoke")
    @Door(relation = Relation.CAN_REVOKE_GRANT, target = Target.WAREHOUSE)
    RevokeResponse revoke(@PathVariable String id, @Body RevokeRequest body) {
        return desk.take(AccessObject.warehouse(id), body.principal(), body.rung());
    }

    @PostMapping("/v1/warehouse/{id}/access/my-permissions")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.WAREHOUSE)
    PermissionsResponse mine(@PathVariable String id, RequestContext context) {
        return desk.permissions(AccessObject.warehouse(id), context.principal());
    }

    @PostMapping("/v1/warehouse/{id}/managed-access/set")
    @Door(relation = Relation.CAN_SET_MANAGED_ACCESS, target = Target.WAREHOUSE)
    ManagedAccessResponse manage(@PathVariable String id, @Body ManagedAccessRequest body) {
        return desk.manage(AccessObject.warehouse(id), body.managed());
    }

    @PostMapping("/v1/warehouse/{id}/managed-access/describe")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.WAREHOUSE)
    ManagedAccessResponse managed(@PathVariable String id) {
        return desk.managed(AccessObject.warehouse(id));
    }
}
