package io.rask.catalog.hierarchy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Removal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The records of warehouses. Their status is always read from the store: a deactivated one must refuse at once, everywhere. */
@Component
public final class WarehouseRegistry {
    private static final String STATUS = "status";
    private static final String STATUS_BEFORE = "status_before";

    private final Records records;
    private final StorageClaims claims;

    public WarehouseRegistry(Records records, StorageClaims claims) {
        this.records = records;
        this.claims = claims;
    }

    public Optional<Warehouse> find(String id) {
        return records.readFresh(RecordKeys.warehouse(id)).map(Warehouse::of);
    }

    /** Whether the subject made it and was not told to the permission engine as its owner. */
    public boolean awaitsOwner(String id, String subject) {
        return records.read(RecordKeys.warehouse(id))
                .filter(record -> !record.content().path("owned").asBoolean(false))
                .map(record -> record.content().path("created_by").asString(""))
                .filter(subject::equals)
                .isPresent();
    }

    /** Notes that it was. */
    public void hasOwner(String id) {
        records.mutate(RecordKeys.warehouse(id), content -> content.put("owned", true));
    }

    /** The warehouse, or code 4. */
    public Warehouse require(String id) {
        return find(id).orElseThrow(() -> Absence.warehouse(id));
    }

    /** The warehouse, if something new may still be said of it; code 4 or 14 otherwise. */
    public Warehouse requireOpen(String id) {
        Warehouse warehouse = require(id);
        if (warehouse.status() == Warehouse.Status.DELETING) {
            throw HierarchyErrors.beingDeleted("warehouse", id);
        }
        return warehouse;
    }

    /** Every warehouse; one whose record is corrupt is left out. */
    public List<Warehouse> all() {
        return read(Records.Unreadable.SKIP);
    }

    /** Every warehouse, for a decision: an unreadable record is code 17. */
    public List<Warehouse> known() {
        return read(Records.Unreadable.FAIL);
    }

    /** The other warehouses on the bucket of one; an unreadable record is code 17. */
    public List<Warehouse> sharing(Warehouse one) {
        return known().stream()
                .filter(other -> !other.id().equals(one.id()) && other.bucket().equals(one.bucket()))
                .toList();
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

    /** Arms the protection, as a repeated creation may. */
    Warehouse protect(String id) {
        return change(id, content -> content.put("protected", true));
    }

    /**
     * Switches a warehouse on; a repeat changes nothing. A deletion that has begun and not taken the rights on the warehouse back yet is
     * given up by it: what is gone stays gone, and all else is served again.
     *
     * @throws CatalogException code 4 when there is none; code 14 when only its deletion can follow
     */
    public Warehouse activate(String id) {
        return change(id, content -> {
            if (Deletion.isPastReturn(content)) {
                throw HierarchyErrors.pastReturn(id);
            }
            content.remove(STATUS_BEFORE);
            return content.put(STATUS, Warehouse.Status.ACTIVE.wireName());
        });
    }

    /** Switches a warehouse off, or marks a new one that is not to be; a repeat changes nothing. */
    public Warehouse setStatus(String id, Warehouse.Status status) {
        return change(id, content -> {
            refuseDeleting(id, content);
            return content.put(STATUS, status.wireName());
        });
    }

    private Warehouse change(String id, UnaryOperator<ObjectNode> change) {
        return records.mutate(RecordKeys.warehouse(id), change)
                .map(Warehouse::of)
                .orElseThrow(() -> Absence.warehouse(id));
    }

    /** Protects a warehouse, or no longer; code 4 when there is none, 14 when it is being deleted. */
    public Warehouse setProtected(String id, boolean isProtected, String by) {
        return change(id, content -> {
            refuseDeleting(id, content);
            return content.put("protected", isProtected).put("protection_set_by", by);
        });
    }

    private static void refuseDeleting(String id, ObjectNode content) {
        if (content.path(STATUS).asString("").equals(Warehouse.Status.DELETING.wireName())) {
            throw HierarchyErrors.beingDeleted("warehouse", id);
        }
    }

    /** Refuses the deletion of a protected warehouse: code 3, unless forced. */
    public static void requireUnprotected(Warehouse warehouse, boolean force) {
        if (warehouse.isProtected() && !force) {
            throw HierarchyErrors.isProtected("warehouse", warehouse.id());
        }
    }

    /**
     * Deletes a warehouse. A repeat goes on with a deletion that was begun.
     *
     * @param force lifts the protection and nothing else
     * @param allowed throws what else stands against it; asked before anything is done, and again when nothing new can come into it
     * @param destroy does what is to be done before the record goes; where it throws, the deletion stays begun
     * @return the warehouse as it was last
     * @throws CatalogException code 3 when it is protected, 4 when there is none
     */
    public Warehouse delete(String id, boolean force, Consumer<Warehouse> allowed, Consumer<Warehouse> destroy) {
        Warehouse seen = require(id);
        requireUnprotected(seen, force);
        allowed.accept(seen);
        boolean[] begun = {false};
        Warehouse warehouse = beginDeletion(id, force, begun);
        Deletion.lookAgain(begun[0], () -> allowed.accept(warehouse), () -> giveUpDeletion(id));
        destroy.accept(warehouse);
        remove(warehouse);
        return warehouse;
    }

    /**
     * Begins the deletion of a warehouse: nothing new comes into it any more, and nothing in it is served. A repeat changes nothing.
     *
     * @param force lifts the protection and nothing else
     * @param begun is told whether this call began it
     * @return the warehouse as it is now
     * @throws CatalogException code 3 when it is protected, 4 when there is none
     */
    private Warehouse beginDeletion(String id, boolean force, boolean[] begun) {
        return change(id, content -> {
            Warehouse.Status status = Warehouse.status(content);
            if (content.path("protected").asBoolean(false) && !force) {
                throw HierarchyErrors.isProtected("warehouse", id);
            }
            begun[0] = status != Warehouse.Status.DELETING;
            if (begun[0]) {
                content.put(STATUS_BEFORE, status.wireName());
            }
            return content.put(STATUS, Warehouse.Status.DELETING.wireName());
        });
    }

    /** Code 14: the deletion of a warehouse was given up since it began. */
    public static CatalogException givenUp(String id) {
        return HierarchyErrors.givenUp("warehouse", id);
    }

    /**
     * Notes that the rights on a warehouse that is being deleted are taken back now: from here on its deletion cannot be given up.
     *
     * @param by who deletes it; he may go on although he holds no right on it any more
     * @throws CatalogException code 14 when the deletion was given up; code 4 when it has come to its end
     */
    public void endRights(String id, String by) {
        change(id, content -> {
            if (Warehouse.status(content) != Warehouse.Status.DELETING) {
                throw HierarchyErrors.givenUp("warehouse", id);
            }
            return Deletion.end(content, by);
        });
    }

    /** Who has taken the rights on a warehouse back in order to delete it; empty where nobody has. */
    public Optional<String> endedBy(String id) {
        return records.readFresh(RecordKeys.warehouse(id))
                .filter(record -> Warehouse.of(record).status() == Warehouse.Status.DELETING)
                .flatMap(Deletion::endedBy);
    }

    /** Takes back a deletion that has destroyed nothing. */
    private void giveUpDeletion(String id) {
        change(id, content -> {
            if (Warehouse.status(content) != Warehouse.Status.DELETING || Deletion.isPastReturn(content)) {
                return content;
            }
            content.put(STATUS, content.path(STATUS_BEFORE).asString(Warehouse.Status.ACTIVE.wireName()));
            content.remove(STATUS_BEFORE);
            return content;
        });
    }

    /** A refusal that names what is inside, a few at most. */
    public static CatalogException holds(String id, String inside, List<String> names) {
        return HierarchyErrors.holds("warehouse", id, inside, names);
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
}
