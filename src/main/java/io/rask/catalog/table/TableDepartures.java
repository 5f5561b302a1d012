package io.rask.catalog.table;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.DatasetHandles;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.Drops;
import io.rask.catalog.lifecycle.KeptBytes;
import io.rask.catalog.lifecycle.Protections;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.util.List;
import org.springframework.stereotype.Component;

/** Tables leave the catalog: dropped with their bytes, or deregistered without. The row goes first, in one commit. */
@Component
final class TableDepartures {
    private final Locator locator;
    private final Manifests manifests;
    private final DatasetHandles handles;
    private final DeletionCheck check;
    private final Protections protections;
    private final KeptBytes kept;
    private final Drops drops;
    private final Overwrites overwrites;

    TableDepartures(
            Locator locator,
            Manifests manifests,
            DatasetHandles handles,
            DeletionCheck check,
            Protections protections,
            KeptBytes kept,
            Drops drops,
            Overwrites overwrites) {
        this.overwrites = overwrites;
        this.locator = locator;
        this.manifests = manifests;
        this.handles = handles;
        this.check = check;
        this.protections = protections;
        this.kept = kept;
        this.drops = drops;
    }

    /**
     * Takes a table out of the catalog and deletes its bytes.
     *
     * @param force lifts the protection and nothing else
     * @throws CatalogException code 4 when it is not there; code 19 when it is protected, or the source of a shallow clone
     */
    PlacedTable drop(ObjectId id, boolean force) {
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.table(id));
        // What its properties are can be told only while there are bytes.
        PlacedTable table = overwrites.known(PlacedTable.of(id, home, find(home, id)));
        List<ManifestEntry> gone = drops.drop(
                home, view -> List.of(view.table(id.stored()).orElseThrow(() -> Absence.table(id))), force, () -> {});
        PlacedTable dropped = PlacedTable.of(id, home, gone.getFirst());
        return dropped.marked().marks().isEmpty() ? dropped : dropped.with(table.marked());
    }

    /**
     * Takes a table out of the catalog and leaves its bytes where they are, for good: only a table that is registered there again
     * can be dropped with them.
     *
     * @param force lifts the protection and nothing else
     * @throws CatalogException code 4 when it is not there; code 19 when it is protected
     */
    PlacedTable deregister(ObjectId id, boolean force) {
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.table(id));
        ManifestEntry entry = find(home, id);
        check.protection(List.of(entry), force).require();
        if (force) {
            protections.tie(List.of(entry));
        }
        PlacedTable table = overwrites.known(PlacedTable.of(id, home, entry));
        // The mark comes first: without it, bytes without a row look like those of a drop.
        kept.keep(home, table.relativeLocation());
        try {
            remove(home, id, entry);
        } catch (CatalogException e) {
            if (!e.mayHaveHappened() && isRegistered(home, table)) {
                kept.forget(home, table.relativeLocation());
            }
            throw e;
        }
        handles.invalidate(table.location().uri());
        return table;
    }

    private ManifestEntry find(StorageProfile home, ObjectId id) {
        return manifests.view(home.root()).table(id.stored()).orElseThrow(() -> Absence.table(id));
    }

    private boolean isRegistered(StorageProfile home, PlacedTable table) {
        return manifests.view(home.root()).isLocationInUse(table.relativeLocation());
    }

    /** Removes the row of the table that was looked at; another one under its name stays. */
    private void remove(StorageProfile home, ObjectId id, ManifestEntry seen) {
        manifests.commit(home.root(), view -> {
            ManifestEntry now = view.table(id.stored()).orElseThrow(() -> Absence.table(id));
            if (!String.valueOf(now.location()).equals(seen.location())) {
                throw TableErrors.changed(id);
            }
            return ManifestChange.Plan.remove(id.stored());
        });
        protections.forget(List.of(seen));
    }
}
