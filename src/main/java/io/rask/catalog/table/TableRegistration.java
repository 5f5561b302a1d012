package io.rask.catalog.table;

import io.rask.catalog.access.Caller;
import io.rask.catalog.door.Seen;
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
import io.rask.catalog.lance.TableInspector;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lifecycle.DatasetOrigin;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.KeptBytes;
import io.rask.catalog.lifecycle.RegistrationRights;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.wire.RegisterMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Gives a dataset that already lies in a warehouse a name. Nothing is written before every check has passed, and then one row. */
@Component
final class TableRegistration {
    private final Locator locator;
    private final Manifests manifests;
    private final TableInspector inspector;
    private final DatasetOrigin origin;
    private final DeletionCheck check;
    private final KeptBytes kept;
    private final RegistrationRights rights;
    private final ReservedNames reserved;
    private final Tables tables;

    TableRegistration(
            Locator locator,
            Manifests manifests,
            TableInspector inspector,
            DatasetOrigin origin,
            DeletionCheck check,
            KeptBytes kept,
            RegistrationRights rights,
            ReservedNames reserved,
            Tables tables) {
        this.tables = tables;
        this.reserved = reserved;
        this.locator = locator;
        this.manifests = manifests;
        this.inspector = inspector;
        this.origin = origin;
        this.check = check;
        this.kept = kept;
        this.rights = rights;
    }

    /**
     * A registration.
     *
     * @param location as the client wrote it
     * @param force lifts the protection of a table whose name is led elsewhere
     * @param seen what was there when the rights were asked for
     */
    record Wanted(String location, RegisterMode mode, Map<String, String> properties, boolean force, Seen seen) {}

    /**
     * Registers a dataset.
     *
     * @param caller who asks, and owns the table from then on
     * @throws CatalogException code 1 without the namespace; code 5 when the name or the location is taken; code 14 when a table
     *     came to be there that nobody was asked about; code 13 when the location is not inside the warehouse, is reserved, or holds no
     *     dataset that can be read; code 19 when the dataset is one this server cannot keep, or the table to replace is protected; code 15
     *     when the dataset was a table's on which the caller has no right
     */
    PlacedTable register(ObjectId id, Wanted wanted, Caller caller) {
        StorageProfile home = locator.locate(id).orElseThrow(() -> Absence.namespace(id.parent()));
        String location = RegisteredLocation.relative(home, wanted.location());
        ManifestEntry entry = ManifestEntry.table(id.stored(), location, MarkedProperties.given(wanted.properties()));
        ManifestView now = manifests.view(home.root());
        plan(now, id, entry, wanted.mode());
        Optional<ManifestEntry> replaced = now.table(entry.id());
        if (wanted.seen().isOther(replaced.map(ManifestEntry::location))) {
            throw TableErrors.changed(id);
        }
        if (replaced.isPresent()) {
            PlacedTable.of(id, home, replaced.get()).requireNoView();
            check.protection(List.of(replaced.get()), wanted.force()).require();
        }
        Optional<KeptBytes.Mark> mark = kept.find(home, location);
        if (replaced.filter(row -> location.equals(row.location())).isEmpty()) {
            rights.require(caller, id, home, location);
        }
        origin.requireOwn(home, location);
        inspector.requireRegistrable(new TableLocation(home.root().resolve(location), home.serverOptions()));
        String by = caller.principal().subject();
        commit(home, id, entry, wanted.mode(), replaced, by);
        Announcements.add(EventType.TABLE_REGISTERED, id.stored());
        PlacedTable table = PlacedTable.of(id, home, entry);
        requireUnmarkedSince(table, mark, replaced);
        if (replaced.isEmpty()) {
            tables.own(caller.principal(), table, () -> {
                if (mark.isEmpty()) {
                    kept.keep(home, location, id.stored(), by);
                }
                tables.unregister(table);
                Announcements.withdraw(EventType.TABLE_REGISTERED, id.stored());
            });
        }
        // Last, because it may fail: a mark that stays on a table goes with it, and a table without an owner would stay
        // for ever.
        mark.ifPresent(seen -> kept.forget(home, location, seen));
        return table;
    }

    /** What the name led to before stays as a deregistered table's bytes do; the mark for that comes first. */
    private void commit(
            StorageProfile home,
            ObjectId id,
            ManifestEntry entry,
            RegisterMode mode,
            Optional<ManifestEntry> replaced,
            String by) {
        replaced.map(ManifestEntry::location)
                .filter(location -> !location.equals(entry.location()))
                .ifPresent(location -> kept.keep(home, location, id.stored(), by));
        manifests.commit(home.root(), view -> {
            boolean same = view.table(entry.id())
                    .map(found -> String.valueOf(found.location()))
                    .equals(replaced.map(found -> String.valueOf(found.location())));
            if (!same && mode == RegisterMode.OVERWRITE) {
                throw TableErrors.changed(id);
            }
            return plan(view, id, entry, mode);
        });
    }

    /**
     * Somebody may have registered the same bytes after the look, and taken the table out again: what the caller was asked about is not
     * what he would get. Where that cannot be told, he does not get it either.
     */
    private void requireUnmarkedSince(
            PlacedTable table, Optional<KeptBytes.Mark> seen, Optional<ManifestEntry> replaced) {
        try {
            if (!kept.find(table.home(), table.relativeLocation()).equals(seen)) {
                throw TableErrors.changed(table.id());
            }
        } catch (RuntimeException e) {
            try {
                takeBack(table, replaced);
            } catch (RuntimeException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    private void takeBack(PlacedTable table, Optional<ManifestEntry> replaced) {
        manifests.commit(
                table.home().root(),
                view -> Tables.unmoved(view, table)
                        .map(row -> replaced.map(ManifestChange.Plan::put)
                                .orElseGet(() -> ManifestChange.Plan.remove(row.id())))
                        .orElseGet(ManifestChange.Plan::nothing));
        Announcements.withdraw(EventType.TABLE_REGISTERED, table.id().stored());
    }

    private ManifestChange.Plan plan(ManifestView view, ObjectId id, ManifestEntry entry, RegisterMode mode) {
        if (view.namespace(entry.parent()).isEmpty()) {
            throw Absence.namespace(id.parent());
        }
        Optional<ManifestEntry> existing = view.find(entry.id());
        if (existing.filter(row -> row.isTrashed() || row.isEnding()).isPresent()) {
            throw reserved.taken(id, existing.get(), ErrorCode.TABLE_ALREADY_EXISTS);
        }
        if (existing.isPresent()
                && (mode == RegisterMode.CREATE || !existing.get().isTable())) {
            throw TableErrors.exists(id);
        }
        String location = String.valueOf(entry.location());
        boolean stays =
                existing.filter(found -> location.equals(found.location())).isPresent();
        if (!stays && view.isLocationInUse(location)) {
            throw TableErrors.locationTaken(id);
        }
        return ManifestChange.Plan.claim(entry, view);
    }
}
