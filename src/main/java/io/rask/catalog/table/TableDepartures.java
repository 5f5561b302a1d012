package io.rask.catalog.table;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.DatasetHandles;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.Departures;
import io.rask.catalog.lifecycle.DropWish;
import io.rask.catalog.lifecycle.Drops;
import io.rask.catalog.lifecycle.DryRuns;
import io.rask.catalog.lifecycle.KeptBytes;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.wire.DryRunResponse;
import java.util.List;
import org.springframework.stereotype.Component;

/** Tables leave the catalog: dropped, or deregistered without their bytes. The row goes first, in one commit. */
@Component
final class TableDepartures {
    private final Locator locator;
    private final Manifests manifests;
    private final DatasetHandles handles;
    private final DeletionCheck check;
    private final KeptBytes kept;
    private final Departures departures;
    private final Drops drops;
    private final DryRuns dryRuns;
    private final Overwrites overwrites;

    TableDepartures(
            Locator locator,
            Manifests manifests,
            DatasetHandles handles,
            DeletionCheck check,
            KeptBytes kept,
            Departures departures,
            Drops drops,
            DryRuns dryRuns,
            Overwrites overwrites) {
        this.overwrites = overwrites;
        this.locator = locator;
        this.manifests = manifests;
        this.handles = handles;
        this.check = check;
        this.kept = kept;
        this.departures = departures;
        this.dryRuns = dryRuns;
        this.drops = drops;
    }

    /**
     * Takes a table out of the catalog, into the trash or together with its bytes.
     *
     * @throws CatalogException code 4 when it is not there; code 19 when it is protected, or the source of a shallow clone
     */
    PlacedTable drop(ObjectId id, DropWish wish) {
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.table(id));
        // What its properties are can be told only while there are bytes.
        PlacedTable table = overwrites.known(PlacedTable.of(id, home, find(home, id)));
        List<ManifestEntry> gone = departures.drop(home, view -> List.of(find(view, id)), wish, () -> {});
        PlacedTable dropped = PlacedTable.of(id, home, gone.getFirst());
        return dropped.marked().marks().isEmpty() ? dropped : dropped.with(table.marked());
    }

    /**
     * Takes a table out of the catalog and leaves its bytes where they are, for good: only a table that is registered there again
     * can be dropped with them.
     *
     * @param force lifts the protection and nothing else
     * @param by who asks, as identity named them
     * @throws CatalogException code 4 when it is not there; code 19 when it is protected
     */
    PlacedTable deregister(ObjectId id, boolean force, String by) {
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.table(id));
        ManifestEntry entry = find(home, id);
        check.protection(List.of(entry), force).require();
        PlacedTable table = overwrites.known(PlacedTable.of(id, home, entry));
        // The mark comes first: without it, bytes without a row look like those of a drop.
        KeptBytes.Mark mark = kept.keep(home, table.relativeLocation(), id.stored(), by);
        try {
            remove(home, id, entry, force);
        } catch (CatalogException e) {
            if (!e.mayHaveHappened() && isRegistered(home, table)) {
                kept.forget(home, table.relativeLocation(), mark);
            }
            throw e;
        }
        handles.invalidate(table.location().uri());
        return table;
    }

    /** What {@link #drop} would do. */
    DryRunResponse planDrop(ObjectId id, DropWish wish) {
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.table(id));
        return dryRuns.of(
                home,
                view -> List.of(find(view, id)),
                view -> List.of(),
                wish.force(),
                departures.isRecoverable(wish) ? departures.deadline() : null);
    }

    /** What {@link #deregister} would do. */
    DryRunResponse planDeregistration(ObjectId id, boolean force) {
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.table(id));
        ManifestEntry entry = find(home, id);
        return DryRuns.of(
                List.of(new DryRunResponse.Planned("table", entry.id(), null)),
                null,
                List.of(() -> check.protection(List.of(entry), force).require()));
    }

    private static ManifestEntry find(ManifestView view, ObjectId id) {
        return view.table(id.stored()).orElseThrow(() -> Absence.table(id));
    }

    private ManifestEntry find(StorageProfile home, ObjectId id) {
        return find(manifests.view(home.root()), id);
    }

    private boolean isRegistered(StorageProfile home, PlacedTable table) {
        return manifests.view(home.root()).isLocationInUse(table.relativeLocation());
    }

    /** Removes the row of the table that was looked at; another one under its name stays. */
    private void remove(StorageProfile home, ObjectId id, ManifestEntry seen, boolean force) {
        drops.release(
                home,
                view -> {
                    ManifestEntry now = find(view, id);
                    if (!String.valueOf(now.location()).equals(seen.location())) {
                        throw TableErrors.changed(id);
                    }
                    return List.of(now);
                },
                force);
    }
}
