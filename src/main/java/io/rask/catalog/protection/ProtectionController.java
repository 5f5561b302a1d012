package io.rask.catalog.protection;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.Project;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.Warehouse;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.wire.ContainerProtectionRequest;
import io.rask.catalog.wire.ProtectionRequest;
import io.rask.catalog.wire.ProtectionResponse;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tells whether something is protected against deletion, and protects it, or no longer. */
@RestController
class ProtectionController {
    private final ObjectProtection objects;
    private final WarehouseRegistry warehouses;
    private final ProjectRegistry projects;

    ProtectionController(ObjectProtection objects, WarehouseRegistry warehouses, ProjectRegistry projects) {
        this.objects = objects;
        this.warehouses = warehouses;
        this.projects = projects;
    }

    @GetMapping("/v1/table/{id}/protection")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
    ProtectionResponse table(ObjectId id) {
        return objects.ofTable(id);
    }

    @PostMapping("/v1/table/{id}/protection")
    @Door(relation = Relation.CAN_SET_PROTECTION, target = Target.TABLE)
    ProtectionResponse protectTable(ObjectId id, @Body ProtectionRequest body, RequestContext context) {
        return objects.protectTable(id, body.isProtected(), context.principal().subject());
    }

    @GetMapping("/v1/namespace/{id}/protection")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE)
    ProtectionResponse namespace(ObjectId id) {
        return objects.ofNamespace(id);
    }

    @PostMapping("/v1/namespace/{id}/protection")
    @Door(relation = Relation.CAN_SET_PROTECTION, target = Target.NAMESPACE)
    ProtectionResponse protectNamespace(ObjectId id, @Body ProtectionRequest body, RequestContext context) {
        return objects.protectNamespace(
                id, body.isProtected(), context.principal().subject());
    }

    private static ProtectionResponse changed(EventType type, String object, ProtectionResponse set) {
        Announcements.add(type, object, Map.of("protected", String.valueOf(set.isProtected())));
        return set;
    }

    @GetMapping("/v1/warehouses/{id}/protection")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.WAREHOUSE)
    ProtectionResponse warehouse(@PathVariable String id) {
        return told(warehouses.require(id));
    }

    @PostMapping("/v1/warehouses/{id}/protection")
    @Door(relation = Relation.CAN_SET_PROTECTION, target = Target.WAREHOUSE, destructive = true)
    ProtectionResponse protectWarehouse(
            @PathVariable String id, @Body ContainerProtectionRequest body, RequestContext context) {
        ProtectionResponse set = told(warehouses.setProtected(
                id, body.isProtected(), context.principal().subject()));
        return changed(EventType.WAREHOUSE_UPDATED, id, set);
    }

    private static ProtectionResponse told(Warehouse warehouse) {
        return new ProtectionResponse(warehouse.id(), warehouse.isProtected(), warehouse.protectionSetBy());
    }

    @GetMapping("/v1/projects/{id}/protection")
    @Door(relation = Relation.CAN_ADMINISTER, target = Target.PROJECT, destructive = true)
    ProtectionResponse project(@PathVariable String id) {
        return told(projects.require(id));
    }

    @PostMapping("/v1/projects/{id}/protection")
    @Door(relation = Relation.CAN_SET_PROTECTION, target = Target.PROJECT, destructive = true)
    ProtectionResponse protectProject(
            @PathVariable String id, @Body ContainerProtectionRequest body, RequestContext context) {
        ProtectionResponse set = told(projects.setProtected(
                id, body.isProtected(), context.principal().subject()));
        return changed(EventType.PROJECT_UPDATED, id, set);
    }

    private static ProtectionResponse told(Project project) {
        return new ProtectionResponse(project.id(), project.isProtected(), project.protectionSetBy());
    }
}
