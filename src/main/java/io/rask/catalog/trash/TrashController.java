package io.rask.catalog.trash;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.DoorCall;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lifecycle.Trash;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.ListTrashResponse;
import io.rask.catalog.wire.ObjectRequest;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.TrashEntry;
import io.rask.catalog.wire.UndropResponse;
import io.rask.catalog.wire.UndropTableRequest;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to the trash. */
@RestController
class TrashController {
    private final Trash trash;
    private final TrashListing listing;
    private final TrashExits exits;

    TrashController(Trash trash, TrashListing listing, TrashExits exits) {
        this.trash = trash;
        this.listing = listing;
        this.exits = exits;
    }

    @GetMapping("/v1/table/{id}/tasks")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
    List<TrashEntry> ofTable(ObjectId id) {
        return TrashListing.told(trash.ofTable(id));
    }

    @GetMapping("/v1/namespace/{id}/tasks")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE)
    List<TrashEntry> ofNamespace(ObjectId id) {
        return TrashListing.told(trash.ofNamespace(id));
    }

    @GetMapping("/v1/warehouses/{id}/trash")
    @Door(relation = Relation.CAN_ADMINISTER, target = Target.WAREHOUSE, destructive = true)
    ListTrashResponse ofWarehouse(@PathVariable String id, @Query PageQuery query) {
        return listing.ofWarehouse(id, PageRequest.of(query.pageToken(), query.limit()));
    }

    @GetMapping("/v1/projects/{id}/trash")
    @Door(relation = Relation.CAN_ADMINISTER, target = Target.PROJECT, destructive = true)
    ListTrashResponse ofProject(@PathVariable String id, @Query PageQuery query) {
        return listing.ofProject(id, PageRequest.of(query.pageToken(), query.limit()));
    }

    @PostMapping("/v1/table/{id}/undrop")
    @Door(relation = Relation.CAN_DROP, target = Target.TABLE, onDestination = Relation.CAN_CREATE_TABLE)
    UndropResponse undropTable(ObjectId id, @Body UndropTableRequest body, DoorCall call) {
        return exits.undropTable(id, call.destination().orElse(id));
    }

    @PostMapping("/v1/namespace/{id}/undrop")
    @Door(relation = Relation.CAN_DELETE, target = Target.NAMESPACE)
    UndropResponse undropNamespace(ObjectId id, @Body ObjectRequest body) {
        return exits.undropNamespace(id);
    }

    @PostMapping("/v1/table/{id}/purge")
    @Door(relation = Relation.CAN_DROP, target = Target.TABLE)
    Object purgeTable(ObjectId id, @Body ObjectRequest body, RequestContext context) {
        return exits.purgeTable(id, context.force(), context.dryRun());
    }

    @PostMapping("/v1/namespace/{id}/purge")
    @Door(relation = Relation.CAN_DELETE, target = Target.NAMESPACE)
    Object purgeNamespace(ObjectId id, @Body ObjectRequest body, RequestContext context) {
        return exits.purgeNamespace(id, context.force(), context.dryRun());
    }
}
