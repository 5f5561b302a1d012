package io.rask.catalog.trash;

import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.lifecycle.Trash;
import io.rask.catalog.lifecycle.TrashRecord;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.ListTrashResponse;
import io.rask.catalog.wire.TrashEntry;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Lists what is in the trash of warehouses, whether they serve requests or not. */
@Component
final class TrashListing {
    private final ProjectRegistry projects;
    private final WarehouseRegistry warehouses;
    private final TopLevelNamespaces topLevel;
    private final Trash trash;

    TrashListing(ProjectRegistry projects, WarehouseRegistry warehouses, TopLevelNamespaces topLevel, Trash trash) {
        this.projects = projects;
        this.warehouses = warehouses;
        this.topLevel = topLevel;
        this.trash = trash;
    }

    /** Code 4 when there is no such warehouse. */
    ListTrashResponse ofWarehouse(String id, PageRequest page) {
        warehouses.require(id);
        return listed(entries(id).toList(), page);
    }

    /** Code 4 when there is no such project; code 17 when one of its warehouses cannot be read. */
    ListTrashResponse ofProject(String id, PageRequest page) {
        projects.require(id);
        return listed(warehouses.idsOf(id).stream().flatMap(this::entries).toList(), page);
    }

    private Stream<Trash.Entry> entries(String warehouse) {
        return topLevel.home(warehouse).stream().flatMap(home -> trash.of(home).stream());
    }

    private static ListTrashResponse listed(List<Trash.Entry> all, PageRequest page) {
        PageRequest.Page<Trash.Entry> cut = page.cut(all, Trash.Entry::id);
        return new ListTrashResponse(told(cut.items()), cut.next());
    }

    /** Entries as clients see them. */
    static List<TrashEntry> told(List<Trash.Entry> entries) {
        return entries.stream().map(TrashListing::told).toList();
    }

    private static TrashEntry told(Trash.Entry entry) {
        TrashRecord record = entry.record();
        return record == null
                ? new TrashEntry(entry.id(), entry.kind(), entry.location(), null, null, null, false, null)
                : new TrashEntry(
                        entry.id(),
                        entry.kind(),
                        entry.location(),
                        record.droppedBy(),
                        record.droppedAt().toString(),
                        record.expiresAt().toString(),
                        entry.expired(),
                        record.droppedWith().equals(entry.id()) ? null : record.droppedWith());
    }
}
