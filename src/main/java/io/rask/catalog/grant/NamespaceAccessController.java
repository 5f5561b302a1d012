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
import io.rask.catalog.wire.ManagedAccessRequest;
import io.rask.catalog.wire.ManagedAccessResponse;
import io.rask.catalog.wire.PermissionsResponse;
import io.rask.catalog.wire.RevokeRequest;
import io.rask.catalog.wire.RevokeResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors of rights on namespaces. */
@RestController
class NamespaceAccessController {
    private final AccessDesk desk;
    private final AccessMap map;

    NamespaceAccessController(AccessDesk desk, AccessMap map) {
        this.desk = desk;
        this.map = map;
    }

    @PostMapping("/v1/namespace/{id}/access/list")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.NAMESPACE)
    GrantsResponse list(ObjectId id) {
        return desk.list(AccessObject.namespace(id));
    }

    @PostMapping("/v1/namespace/{id}/access/check")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.NAMESPACE)
    AccessCheckResponse check(ObjectId id, @Body AccessCheckRequest body) {
        return desk.check(AccessObject.namespace(id), body);
    }

    @PostMapping("/v1/namespace/{id}/access/graph")
    @Door(relation = Relation.CAN_READ_ASSIGNMENTS, target = Target.NAMESPACE)
    AccessGraphResponse graph(ObjectId id, @Body AccessGraphRequest body, RequestContext context) {
        return map.graph(AccessObject.namespace(id), body, context.caller());
    }

    @PostMapping("/v1/namespace/{id}/access/grant")
    @Door(relation = Relation.CAN_GRANT, target = Target.NAMESPACE, asks = Asked.GRANT)
    GrantResponse grant(ObjectId id, @Body GrantRequest body, RequestContext context) {
        return desk.give(AccessObject.namespace(id), body, context.principal());
    }

    @PostMapping("/v1/namespace/{id}/access/revoke")
    @Door(relation = Relation.CAN_REVOKE_GRANT, target = Target.NAMESPACE)
    RevokeResponse revoke(ObjectId id, @Body RevokeRequest body) {
        return desk.take(AccessObject.namespace(id), body.principal(), body.rung());
    }

    @PostMapping("/v1/namespace/{id}/access/my-permissions")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE)
    PermissionsResponse mine(ObjectId id, RequestContext context) {
        return desk.permissions(AccessObject.namespace(id), context.principal());
    }

    @PostMapping("/v1/namespace/{id}/managed-access/set")
    @Door(relation = Relation.CAN_SET_MANAGED_ACCESS, target = Target.NAMESPACE)
    ManagedAccessResponse manage(ObjectId id, @Body ManagedAccessRequest body) {
        return desk.manage(AccessObject.namespace(id), body.managed());
    }

    @PostMapping("/v1/namespace/{id}/managed-access/describe")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE)
    ManagedAccessResponse managed(ObjectId id) {
        return desk.managed(AccessObject.namespace(id));
    }
}
