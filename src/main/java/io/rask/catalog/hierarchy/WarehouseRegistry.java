package io.rask.catalog.hierarchy;

import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Removal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The records of warehouses. Their status is always read from the store: a deactivated one must refuse at once, everywhere. */
@Component
public final class WarehouseRegistry {
    private final Records records;
    private final StorageClaims claims;

    public WarehouseRegistry(Records records, StorageClaims claims) {
        this.records = records;
        this.claims = claims;
    }

    public Optional<Warehouse> find(String id) {
        return records.readFresh(RecordKeys.warehouse(id)).map(Warehouse::of);
    }

    /** The warehouse, or code 4. */
    public Warehouse require(String id) {
        return find(id).orElseThrow(() -> Absence.warehouse(id));
    }

    /** Every warehouse; one whose record is corrupt is left out. */
    public List<Warehouse> all() {
        return read(Records.Unreadable.SKIP);
    }

    /** Every warehouse, for a decision: an unreadable record is code 17. */
    List<Warehouse> known() {
        return read(Records.Unreadable.FAIL);
    }

    /** The ids of a project's warehouses, for a decision: an unreadable record is code 17. */
    public List<String> idsOf(String project) {
        return known().stream()
                .filter(warehouse -> warehouse.project().equals(project))
                .map(Warehouse::id)
                .sorted()
                .toList();
    }

    private List<Warehouse> read(Records.Unreadable unreadable) {
        return records.all(RecordKeys.WAREHOUSES, unreadable).stream()
                .map(Warehouse::of)
                .toList();
    }

    /** Writes the record of a new warehouse; where there is one already, gives that one. */
    Warehouse create(Warehouse warehouse) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("id", warehouse.id());
        content.put("project", warehouse.project());
        content.put("bucket", warehouse.bucket());
        content.put("root_uri", warehouse.root());
        content.put("own_root", warehouse.ownRoot());
        content.put("endpoint", warehouse.endpoint());
        content.put("region", warehouse.region());
        content.put("credential", warehouse.credential());
        content.put("status", warehouse.status().wireName());
        content.put("protected", warehouse.isProtected());
        content.put("created_by", warehouse.createdBy());
        return Warehouse.of(
                records.create(RecordKeys.warehouse(warehouse.id()), content).record());
    }

    /** Arms the protection; nothing but a delete with force disarms it. */
    Warehouse protect(String id) {
        return change(id, content -> content.put("protected", true));
    }

    /** Switches a warehouse on or off; a repeat changes nothing. */
    public Warehouse setStatus(String id, Warehouse.Status status) {
        return change(id, content -> {
            if (content.path("status").asString("").equals(Warehouse.Status.DELETING.wireName())) {
                throw HierarchyErrors.beingDeleted("warehouse", id);
            }
            return content.put("status", status.wireName());
        });
    }

    private Warehouse change(String id, UnaryOperator<ObjectNode> change) {
        return records.mutate(RecordKeys.warehouse(id), change)
                .map(Warehouse::of)
                .orElseThrow(() -> Absence.warehouse(id));
    }

    /**
     * Deletes a warehouse without bound namespaces. Its bytes stay.
     *
     * @param force lifts the protection and nothing else
     * @param inside the top-level namespaces bound to it now
     */
    public Warehouse delete(String id, boolean force, Supplier<List<String>> inside) {
        Warehouse warehouse = require(id);
        if (warehouse.isProtected() && !force) {
            throw HierarchyErrors.isProtected("warehouse", id);
        }
        refuseUnlessEmpty(id, inside);
        // From this mark on nothing new comes in; what came in before it shows in the second look.
        change(id, content -> content.put("status", Warehouse.Status.DELETING.wireName()));
        try {
            refuseUnlessEmpty(id, inside);
        } catch (RuntimeException e) {
            change(id, content -> content.put("status", warehouse.status().wireName()));
            throw e;
        }
        remove(warehouse);
        return warehouse;
    }

    /** Removes the record if it still is marked as being deleted, then its claim. */
    void remove(Warehouse warehouse) {
        Removal removal = records.tombstone(
                RecordKeys.warehouse(warehouse.id()),
                record -> Warehouse.of(record).status() == Warehouse.Status.DELETING);
        if (removal instanceof Removal.Refused) {
            throw HierarchyErrors.beingDeleted("warehouse", warehouse.id());
        }
        claims.release(StorageClaims.Claim.of(warehouse));
    }

    private static void refuseUnlessEmpty(String id, Supplier<List<String>> inside) {
        List<String> namespaces = inside.get();
        if (!namespaces.isEmpty()) {
            throw HierarchyErrors.holds("warehouse", id, "namespaces", namespaces);
        }
    }
}
