package io.rask.catalog.table;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Seeding;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ReservedNames;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.TableFiles;
import io.rask.catalog.lifecycle.TableRemoval;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds, declares and lists tables. Every check that must hold at the commit is part of the change it commits. */
@Component
public final class Tables {
    private final Locator locator;
    private final Manifests manifests;
    private final TableRemoval removal;
    private final Overwrites overwrites;
    private final ReservedNames reserved;
    private final Seeding seeding;

    Tables(
            Locator locator,
            Manifests manifests,
            TableRemoval removal,
            Overwrites overwrites,
            ReservedNames reserved,
            Seeding seeding) {
        this.seeding = seeding;
        this.reserved = reserved;
        this.locator = locator;
        this.manifests = manifests;
        this.removal = removal;
        this.overwrites = overwrites;
    }

    /** The table, or code 4. */
    public PlacedTable require(ObjectId id) {
        return find(id).orElseThrow(() -> Absence.table(id));
    }

    /** The table, or code 4; code 19 for that of a materialized view, whose rows and columns its refresh alone changes. */
    public PlacedTable requireWritable(ObjectId id) {
        PlacedTable table = require(id);
        table.requireNoView();
        return table;
    }

    /** The table, if the catalog holds one of this id. */
    public Optional<PlacedTable> find(ObjectId id) {
        return locator.locate(id)
                .flatMap(home ->
                        manifests.view(home.root()).table(id.stored()).map(entry -> PlacedTable.of(id, home, entry)))
                .map(overwrites::settled);
    }

    /** Where a table of this id would live; code 1 when its namespace is bound nowhere. */
    private StorageProfile home(ObjectId id) {
        return locator.locate(id).orElseThrow(() -> Absence.namespace(id.parent()));
    }

    /** The names of a namespace's tables, in order; code 1 when the namespace is not there. */
    public PageRequest.Page<PlacedTable> list(ObjectId namespace, PageRequest page) {
        if (namespace.isRoot() && locator.hasWarehouses()) {
            // With warehouses every table lives in a namespace, so the root has none.
            return new PageRequest.Page<>(List.of(), null);
        }
        StorageProfile home = namespace.isRoot()
                ? locator.single()
                : locator.locate(namespace).orElseThrow(() -> Absence.namespace(namespace));
        ManifestView view = manifests.view(home.root());
        if (!namespace.isRoot() && view.namespace(namespace.stored()).isEmpty()) {
            throw Absence.namespace(namespace);
        }
        List<PlacedTable> tables = view.tables(namespace.stored(), page.after(), page.limit() + 1).stream()
                .map(entry -> PlacedTable.of(namespace.child(entry.name()), home, entry))
                .toList();
        return page.page(tables, table -> table.id().name());
    }

    /**
     * Registers a table without writing data.
     *
     * @throws CatalogException code 1 without its namespace; code 5 when the name is taken
     */
    public PlacedTable declare(ObjectId id, Map<String, String> properties, Principal maker) {
        StorageProfile home = home(id);
        ManifestEntry entry = ManifestEntry.table(
                id.stored(), TableFiles.newLocation(id.stored()), MarkedProperties.given(properties));
        register(home, id, entry);
        PlacedTable table = PlacedTable.of(id, home, entry);
        own(maker, table, () -> unregister(table));
        Announcements.add(EventType.TABLE_CREATED, id.stored(), Map.of("mode", "declare"));
        return table;
    }

    /** Gives a table that was just made its owner, or undoes it. */
    void own(Principal maker, PlacedTable table, Runnable undo) {
        seeding.made(
                maker,
                AccessObject.table(table.id()),
                AccessObject.namespace(table.id().parent()),
                undo);
    }

    /** Takes the row of a table away that was just made, if it still is where it was. */
    void unregister(PlacedTable table) {
        manifests.commit(
                table.home().root(),
                view -> unmoved(view, table).isPresent()
                        ? ManifestChange.Plan.remove(table.id().stored())
                        : ManifestChange.Plan.nothing());
    }

    /** Adds the row of a new table; code 1 or 5 when that may not be. */
    void register(StorageProfile home, ObjectId id, ManifestEntry entry) {
        manifests.commit(home.root(), view -> {
            if (view.namespace(entry.parent()).isEmpty()) {
                throw Absence.namespace(id.parent());
            }
            Optional<ManifestEntry> taken = view.find(entry.id());
            if (taken.isPresent()) {
                throw taken(id, taken.get());
            }
            if (entry.location() != null && view.isLocationInUse(entry.location())) {
                throw TableErrors.changed(id);
            }
            return ManifestChange.Plan.put(entry);
        });
    }

    /**
     * Checks after a write that what was written still belongs to a table, under whatever name. If the table was dropped meanwhile,
     * what the write has left at its old location is deleted, and the writer learns that the table is gone.
     *
     * @throws CatalogException code 4 when it was dropped or deregistered
     */
    public void requireStill(PlacedTable table) {
        ManifestView view = manifests.view(table.home().root());
        boolean ending = view.find(table.id().stored())
                .filter(row -> row.isEnding() && table.relativeLocation().equals(row.location()))
                .isPresent();
        if (ending) {
            throw Absence.table(table.id());
        }
        if (unmoved(view, table).isEmpty() && !view.isLocationInUse(table.relativeLocation())) {
            removal.removeBytes(table.home(), ManifestEntry.table(table.id().stored(), table.relativeLocation(), null));
            throw Absence.table(table.id());
        }
    }

    /**
     * The place for a table about to be made.
     *
     * @param existing the table that has the id already
     */
    record Place(StorageProfile home, Optional<PlacedTable> existing) {}

    /** Looks for the place before any data is read; code 1 without the namespace, code 5 for an id that is no table's. */
    Place place(ObjectId id) {
        StorageProfile home = home(id);
        ManifestView view = manifests.view(home.root());
        if (view.namespace(id.parent().stored()).isEmpty()) {
            throw Absence.namespace(id.parent());
        }
        Optional<ManifestEntry> taken = view.find(id.stored());
        if (taken.filter(entry -> !entry.isTable()).isPresent()) {
            throw taken(id, taken.get());
        }
        return new Place(home, taken.map(entry -> overwrites.settled(PlacedTable.of(id, home, entry))));
    }

    /** What is answered to a creation whose name a row has. */
    private CatalogException taken(ObjectId id, ManifestEntry row) {
        return row.isTrashed() || row.isEnding()
                ? reserved.taken(id, row, ErrorCode.TABLE_ALREADY_EXISTS)
                : TableErrors.exists(id);
    }

    /** The row of a table that still has its id and lives where it did. */
    static Optional<ManifestEntry> unmoved(ManifestView view, PlacedTable table) {
        return view.table(table.id().stored())
                .filter(entry -> table.relativeLocation().equals(entry.location()));
    }
}
