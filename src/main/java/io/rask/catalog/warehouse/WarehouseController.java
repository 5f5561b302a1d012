package io.rask.catalog.warehouse;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.ListFilter;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Seeding;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.Warehouse;
import io.rask.catalog.hierarchy.WarehouseCreation;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.id.NameRules;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.storage.StorageProbe;
import io.rask.catalog.wire.CreateWarehouseRequest;
import io.rask.catalog.wire.ListWarehousesResponse;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.ValidateWarehouseResponse;
import io.rask.catalog.wire.WarehouseResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors of warehouses themselves. */
@RestController
class WarehouseController {
    private final WarehouseRegistry warehouses;
    private final WarehouseCreation creation;
    private final WarehouseDeletion deletion;
    private final ListFilter filter;
    private final Seeding seeding;
    private final Locator locator;
    private final StorageProbe probe;

    WarehouseController(
            WarehouseRegistry warehouses,
            WarehouseCreation creation,
            WarehouseDeletion deletion,
            ListFilter filter,
            Seeding seeding,
            Locator locator,
            StorageProbe probe) {
        this.locator = locator;
        this.probe = probe;
        this.filter = filter;
        this.seeding = seeding;
        this.warehouses = warehouses;
        this.creation = creation;
        this.deletion = deletion;
    }

    @PostMapping("/v1/warehouses")
    @Door(
            relation = Relation.CAN_CREATE_WAREHOUSE,
            target = Target.WAREHOUSE,
            parent = Target.PROJECT,
            askedOnParent = true,
            mints = true)
    WarehouseResponse create(@Body CreateWarehouseRequest body, RequestContext context) {
        if (body.bucket() != null) {
            NameRules.container("bucket", body.bucket());
        }
        WarehouseCreation.Wanted wanted = new WarehouseCreation.Wanted(
                String.valueOf(body.id()),
                String.valueOf(body.project()),
                body.bucket(),
                body.root(),
                body.endpoint(),
                body.region(),
                body.credential(),
                Boolean.TRUE.equals(body.isProtected()));
        Warehouse made = creation.create(wanted, context.principal().subject());
        seeding.once(
                context.principal(),
                AccessObject.warehouse(made.id()),
                AccessObject.project(made.project()),
                () -> warehouses.awaitsOwner(made.id(), context.principal().subject()),
                () -> warehouses.hasOwner(made.id()));
        return response(made);
    }

    @GetMapping("/v1/warehouses")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.ESTATE, asks = Asked.EACH_ITEM, filtered = true)
    ListWarehousesResponse list(@Query PageQuery query, RequestContext context) {
        List<Warehouse> all = warehouses.all();
        ListFilter.Look<Warehouse> look = new ListFilter.Look<>(
                Relation.CAN_GET_METADATA,
                warehouse -> AccessObject.warehouse(warehouse.id()),
                warehouse -> Optional.of(AccessObject.project(warehouse.project())),
                Warehouse::id);
        PageRequest.Page<Warehouse> page = filter.page(
                context.caller(),
                "all warehouses",
                PageRequest.of(query.pageToken(), query.limit()),
                asked -> asked.cut(all, Warehouse::id),
                look,
                context::truncated);
        return new ListWarehousesResponse(
                page.items().stream().map(WarehouseController::response).toList(), page.next());
    }

    @GetMapping("/v1/warehouses/{id}")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.WAREHOUSE)
    WarehouseResponse get(@PathVariable String id) {
        return response(warehouses.require(id));
    }

    @PostMapping("/v1/warehouses/{id}/activate")
    @Door(relation = Relation.CAN_CREATE_WAREHOUSE, target = Target.WAREHOUSE, destructive = true)
    WarehouseResponse activate(@PathVariable String id) {
        return changed(warehouses.activate(id));
    }

    @PostMapping("/v1/warehouses/{id}/deactivate")
    @Door(relation = Relation.CAN_CREATE_WAREHOUSE, target = Target.WAREHOUSE, destructive = true)
    WarehouseResponse deactivate(@PathVariable String id) {
        return changed(warehouses.setStatus(id, Warehouse.Status.DEACTIVATED));
    }

    private static WarehouseResponse changed(Warehouse warehouse) {
        Announcements.add(
                EventType.WAREHOUSE_UPDATED,
                warehouse.id(),
                Map.of("status", warehouse.status().wireName()));
        return response(warehouse);
    }

    @PostMapping("/v1/warehouses/{id}/validate")
    @Door(relation = Relation.CAN_ADMINISTER, target = Target.WAREHOUSE, destructive = true)
    ValidateWarehouseResponse validate(@PathVariable String id) {
        List<StorageProbe.Check> checks = probe.run(locator.profile(warehouses.require(id)));
        return new ValidateWarehouseResponse(
                id,
                checks.stream().noneMatch(check -> check.outcome() == StorageProbe.Outcome.FAIL),
                checks.stream()
                        .map(check -> new ValidateWarehouseResponse.Check(
                                check.name(), check.outcome().wireName(), check.reason()))
                        .toList());
    }

    @DeleteMapping("/v1/warehouses/{id}")
    @Door(relation = Relation.CAN_ADMINISTER, target = Target.WAREHOUSE, destructive = true, refusesProtected = true)
    Object delete(@PathVariable String id, RequestContext context) {
        WarehouseDeletion.Wish wish = new WarehouseDeletion.Wish(
                context.flag("cascade"),
                context.flag("purge_bucket"),
                context.force(),
                context.principal().subject());
        return context.dryRun() ? deletion.plan(id, wish) : deletion.delete(id, wish);
    }

    private static WarehouseResponse response(Warehouse warehouse) {
        return new WarehouseResponse(
                warehouse.id(),
                warehouse.project(),
                warehouse.bucket(),
                warehouse.root(),
                warehouse.endpoint(),
                warehouse.region(),
                warehouse.credential(),
                warehouse.status().wireName(),
                warehouse.isProtected(),
                warehouse.createdAt().toString(),
                warehouse.createdBy());
    }
}
