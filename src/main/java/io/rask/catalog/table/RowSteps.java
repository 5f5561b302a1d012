package io.rask.catalog.table;

import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ReservedNames;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.DatasetHandles;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.TableFiles;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.Endings;
import io.rask.catalog.lifecycle.KeptBytes;
import io.rask.catalog.lifecycle.ProtectionLook;
import io.rask.catalog.lifecycle.Protections;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Rows that come and go together with other changes, those of one warehouse in one commit. Until it is decided what becomes of
 * them they are held back: their names are taken, and nobody sees a table. Every step may be repeated after a crash.
 */
@Component
public final class RowSteps {
    private final Locator locator;
    private final Manifests manifests;
    private final DeletionCheck check;
    private final Protections protections;
    private final KeptBytes kept;
    private final DatasetHandles handles;
    private final ReservedNames reserved;
    private final Endings endings;

    RowSteps(
            Locator locator,
            Manifests manifests,
            DeletionCheck check,
            Protections protections,
            KeptBytes kept,
            DatasetHandles handles,
            ReservedNames reserved,
            Endings endings) {
        this.reserved = reserved;
        this.endings = endings;
        this.locator = locator;
        this.manifests = manifests;
        this.check = check;
        this.protections = protections;
        this.kept = kept;
        this.handles = handles;
    }

    /** Where a table of this id would live; code 1 when its namespace is bound nowhere. */
    public StorageProfile home(ObjectId id) {
        return locator.locate(id).orElseThrow(() -> Absence.namespace(id.parent()));
    }

    /**
     * Checks a declaration.
     *
     * @return the table that is to be
     * @throws io.rask.catalog.problem.CatalogException code 1 without the namespace, code 5 when the name is taken
     */
    public PlacedTable declare(ObjectId id, Map<String, String> properties) {
        StorageProfile home = home(id);
        ManifestEntry entry = ManifestEntry.table(
                id.stored(), TableFiles.newLocation(id.stored()), MarkedProperties.given(properties));
        PlacedTable table = PlacedTable.of(id, home, entry);
        requireFree(manifests.view(home.root()), id, declaration(table));
        return table;
    }

    /** The step that makes a table which was checked. */
    public static RowStep declaration(PlacedTable table) {
        return step(RowStep.Kind.DECLARE, table, null, null);
    }

    private static RowStep step(RowStep.Kind kind, PlacedTable table, @Nullable String by, @Nullable Boolean forced) {
        return new RowStep(
                kind,
                table.home().place().external(),
                table.id().stored(),
                table.relativeLocation(),
                table.marked().write(),
                by,
                forced,
                kind == RowStep.Kind.DEREGISTER ? UUID.randomUUID().toString() : null);
    }

    /**
     * Checks a deregistration.
     *
     * @param force lifts the protection and nothing else
     * @param by who asks, as identity named them
     * @throws io.rask.catalog.problem.CatalogException code 4 when the table is not there, code 19 when it is protected
     */
    public RowStep deregister(PlacedTable table, boolean force, String by) {
        check.protection(List.of(table.entry()), force).require();
        if (force) {
            protections.tie(List.of(table.entry()));
        }
        return step(RowStep.Kind.DEREGISTER, table, by, force);
    }

    /** Whether steps can only be held back first, because the permission engine is told of them while their names are still taken. */
    public boolean mustBeHeld() {
        return endings.areStaged();
    }

    /** Makes all steps of one warehouse at once. */
    public void commit(StorageProfile home, List<RowStep> steps) {
        ProtectionLook look = look(home, steps);
        keep(home, steps);
        change(home, steps, (view, step) -> {
            ManifestEntry row = require(view, step, look);
            return step.comes() ? Optional.of(row) : Optional.empty();
        });
        gone(home, steps, look.found());
    }

    private ProtectionLook look(StorageProfile home, List<RowStep> steps) {
        ManifestView view = manifests.view(home.root());
        return new ProtectionLook(
                protections,
                view,
                steps.stream()
                        .filter(step -> !step.comes())
                        .flatMap(step -> view.find(step.table()).filter(step::isAbout).stream())
                        .toList());
    }

    /**
     * Holds back the rows of one warehouse.
     *
     * @throws io.rask.catalog.problem.CatalogException code 1, 4 or 5 when one of them cannot come or go; code 14 when a table was
     *     changed meanwhile; nothing was written then
     */
    public void hold(StorageProfile home, List<RowStep> steps) {
        ProtectionLook look = look(home, steps);
        keep(home, steps);
        change(
                home,
                steps,
                (view, step) -> held(view, step)
                        .or(() -> Optional.of(require(view, step, look).heldBack())));
    }

    /**
     * Makes the steps that were held back. The rights on what goes are taken back, and those on what comes are given, while the names are
     * still taken: nobody has a table without its owner, and no repeat takes back what an owner has given since.
     *
     * @param coming is told the ids of the tables that come, before anybody sees them
     */
    public void finish(StorageProfile home, List<RowStep> steps, Consumer<List<ObjectId>> coming) {
        // While the rows are held back nobody else has their names.
        ProtectionLook look = look(home, steps);
        if (endings.areStaged()) {
            ManifestView now = manifests.view(home.root());
            List<RowStep> held =
                    steps.stream().filter(step -> held(now, step).isPresent()).toList();
            endings.revoke(held.stream()
                    .filter(step -> !step.comes())
                    .map(RowStep::entry)
                    .toList());
            coming.accept(held.stream()
                    .filter(RowStep::comes)
                    .map(step -> Delimiter.STORED.split(step.table()))
                    .toList());
        }
        change(home, steps, (view, step) -> {
            Optional<ManifestEntry> held = held(view, step);
            return held.isPresent()
                    ? held.filter(row -> step.comes()).map(ManifestEntry::released)
                    : view.find(step.table());
        });
        gone(home, steps, look.found());
    }

    /** Gives up the steps that were held back. */
    public void undo(StorageProfile home, List<RowStep> steps) {
        change(home, steps, (view, step) -> {
            Optional<ManifestEntry> held = held(view, step);
            return held.isPresent()
                    ? held.filter(row -> !step.comes()).map(ManifestEntry::released)
                    : view.find(step.table());
        });
        steps.stream().filter(step -> !step.comes()).forEach(step -> {
            // The mark of another deregistration, which may have begun and not come to its commit, is not ours to
            // forget.
            String own = step.mark();
            Optional<KeptBytes.Mark> mark =
                    kept.find(home, step.location()).filter(seen -> own != null && own.equals(seen.token()));
            if (manifests.view(home.root()).isLocationInUse(step.location())) {
                mark.ifPresent(seen -> kept.forget(home, step.location(), seen));
            }
        });
    }

    /** The marks come first: without them, bytes without a row look like those of a drop. */
    private void keep(StorageProfile home, List<RowStep> steps) {
        steps.stream()
                .filter(step -> !step.comes())
                .forEach(step -> kept.keep(home, step.location(), step.table(), step.by(), step.mark()));
    }

    private void gone(StorageProfile home, List<RowStep> steps, Protections.Found protection) {
        steps.stream()
                .filter(step -> !step.comes())
                .forEach(step -> handles.invalidate(home.root().resolve(step.location())));
        for (RowStep step : steps) {
            EventType type = step.comes() ? EventType.TABLE_CREATED : EventType.TABLE_DEREGISTERED;
            Announcements.add(type.ofView(step.entry().isView()), step.table());
        }
        protections.forget(protection);
    }

    private interface Outcome {
        /** What becomes of the row; empty when it goes. */
        Optional<ManifestEntry> of(ManifestView view, RowStep step);
    }

    private void change(StorageProfile home, List<RowStep> steps, Outcome outcome) {
        if (steps.isEmpty()) {
            return;
        }
        manifests.commit(home.root(), view -> {
            List<ManifestEntry> put = new ArrayList<>();
            List<String> removed = new ArrayList<>();
            List<String> reliesOn = new ArrayList<>();
            for (RowStep step : steps) {
                Optional<ManifestEntry> now = view.find(step.table());
                Optional<ManifestEntry> then = outcome.of(view, step);
                if (then.isPresent() && !then.equals(now)) {
                    put.add(then.get());
                    String parent = then.get().parent();
                    if (!parent.isEmpty() && !reliesOn.contains(parent)) {
                        reliesOn.add(parent);
                    }
                }
                if (then.isEmpty() && now.isPresent()) {
                    removed.add(step.table());
                }
            }
            return new ManifestChange.Plan(put, removed, reliesOn);
        });
    }

    private static Optional<ManifestEntry> held(ManifestView view, RowStep step) {
        return view.find(step.table())
                .filter(row -> row.isHeldBack() && step.location().equals(row.location()));
    }

    /** The row that may come, or the one that may go. */
    private ManifestEntry require(ManifestView view, RowStep step, ProtectionLook look) {
        ObjectId id = Delimiter.STORED.split(step.table());
        if (step.comes()) {
            requireFree(view, id, step);
            return step.entry();
        }
        ManifestEntry now = view.table(step.table()).orElseThrow(() -> Absence.table(id));
        if (!step.location().equals(now.location())) {
            throw TableErrors.changed(id);
        }
        if (step.yields()) {
            DeletionCheck.protection(look.at(view, List.of(now)), false).require();
        }
        return now;
    }

    private void requireFree(ManifestView view, ObjectId id, RowStep step) {
        if (view.namespace(id.parent().stored()).isEmpty()) {
            throw Absence.namespace(id.parent());
        }
        Optional<ManifestEntry> taken = view.find(step.table());
        if (taken.isPresent()) {
            ManifestEntry row = taken.get();
            throw row.isTrashed() || row.isEnding()
                    ? reserved.taken(id, row, ErrorCode.TABLE_ALREADY_EXISTS)
                    : TableErrors.taken(id);
        }
        if (view.isLocationInUse(step.location())) {
            throw TableErrors.changed(id);
        }
    }
}
