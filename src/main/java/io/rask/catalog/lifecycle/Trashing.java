package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Binding;
import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.lance.DatasetHandles;
import io.rask.catalog.lance.ManifestChange.Plan;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.StorageProfile;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/**
 * Takes objects out of the catalog so that they can be brought back: first a record of each, then all rows in one commit turn into
 * such that nobody sees. Names, places and bytes stay taken, and so do the rights on them. A crash after the records leaves records
 * that are about nothing.
 */
@Component
public final class Trashing {
    private final SelectedRows rows;
    private final DeletionCheck check;
    private final Protections protections;
    private final TrashRecords records;
    private final DatasetHandles handles;
    private final Locator locator;
    private final BindingRegistry bindings;
    private final Clock clock;

    Trashing(
            SelectedRows rows,
            DeletionCheck check,
            Protections protections,
            TrashRecords records,
            DatasetHandles handles,
            Locator locator,
            BindingRegistry bindings,
            Clock clock) {
        this.rows = rows;
        this.check = check;
        this.protections = protections;
        this.records = records;
        this.handles = handles;
        this.locator = locator;
        this.bindings = bindings;
        this.clock = clock;
    }

    /**
     * Puts into the trash what a function selects; what of it is there already stays as it is.
     *
     * @param selection finds the rows that go, first the one all others go with, on a fresh view each time; what it throws ends the
     *     drop
     * @param until when the bytes may go
     * @param afterRows runs when the rows are trashed
     * @return the rows as they were before
     * @throws CatalogException what the selection throws; what stands against a drop; code 14 when others keep changing what is
     *     dropped; code 17 when the store does not answer
     */
    public List<ManifestEntry> drop(
            StorageProfile home,
            Function<ManifestView, List<ManifestEntry>> selection,
            DropWish wish,
            Instant until,
            Runnable afterRows) {
        SelectedRows.Done done = rows.change(home, selection, wish.force(), new SelectedRows.Change() {
            @Override
            public List<ManifestEntry> of(List<ManifestEntry> selected) {
                return live(selected);
            }

            @Override
            public void ask(List<ManifestEntry> selected) {
                check.clones(home, selected).require();
            }

            @Override
            public void prepare(List<ManifestEntry> doomed) {
                records.put(entries(home, doomed, wish.by(), until));
            }

            @Override
            public Plan plan(List<ManifestEntry> gone) {
                return new Plan(gone.stream().map(ManifestEntry::trashed).toList(), List.of(), List.of());
            }
        });
        Departed.announceTrashed(done.gone(), until);
        afterRows.run();
        protections.forget(done.protection());
        done.gone().stream().map(ManifestEntry::location).forEach(location -> {
            if (location != null) {
                handles.invalidate(home.root().resolve(location));
            }
        });
        return done.gone();
    }

    /** Those that are not in the trash yet, nor at their end. */
    private static List<ManifestEntry> live(List<ManifestEntry> selected) {
        return selected.stream()
                .filter(entry -> !entry.isTrashed() && !entry.isEnding())
                .toList();
    }

    private List<TrashRecord> entries(StorageProfile home, List<ManifestEntry> doomed, String by, Instant until) {
        if (doomed.isEmpty()) {
            return List.of();
        }
        ManifestEntry first = doomed.getFirst();
        String warehouse = locator.hasWarehouses()
                ? bindings.find(first.topLevel()).map(Binding::warehouse).orElse(null)
                : null;
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return doomed.stream()
                .map(entry -> new TrashRecord(
                        TrashRecord.kindOf(entry),
                        entry.id(),
                        entry.location(),
                        by,
                        now,
                        until,
                        first.id(),
                        warehouse,
                        home.place().external(),
                        warehouse != null && entry == first && entry.id().equals(entry.topLevel())))
                .toList();
    }
}
