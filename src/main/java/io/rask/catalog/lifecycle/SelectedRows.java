package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestChange.Plan;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.UnfinishedChanges;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * Takes rows that a function selects out of sight, in one commit, after everything was asked that could stand against it. Where others
 * change what is selected in between, all is asked anew.
 */
@Component
final class SelectedRows {
    private static final int ATTEMPTS = 5;

    private final Manifests manifests;
    private final Protections protections;
    private final ObjectProvider<UnfinishedChanges> unfinished;

    SelectedRows(Manifests manifests, Protections protections, ObjectProvider<UnfinishedChanges> unfinished) {
        this.manifests = manifests;
        this.protections = protections;
        this.unfinished = unfinished;
    }

    /** What is done to the rows. */
    interface Change {
        /** Those of the selected rows that it is done to. */
        default List<ManifestEntry> of(List<ManifestEntry> selected) {
            return selected;
        }

        /** Throws what stands against it, beside a protection. */
        default void ask(List<ManifestEntry> selected) {}

        /** Writes down what must be there before the rows change, and looks at what goes with them. */
        void prepare(List<ManifestEntry> rows);

        /** What the commit does. */
        Plan plan(List<ManifestEntry> rows);

        /** Takes back what was written down: the rows have surely not changed. */
        default void withdraw() {}
    }

    /**
     * What was done.
     *
     * @param gone the rows as they were
     * @param protection what was said of their protection, to be forgotten with them
     */
    record Done(List<ManifestEntry> gone, Protections.Found protection) {}

    /** The objects changed between the look and the commit. */
    private static final class Moved extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Moved() {
            super(null, null, false, false);
        }
    }

    /**
     * Changes what a function selects. Changes of several tables that hold back one of the rows are brought to their end first.
     *
     * @param selection finds the rows, on a fresh view each time; what it throws ends the change
     * @param force lifts the protection and nothing else
     * @throws CatalogException what the selection throws; what stands against the change; code 14 when others keep changing what is
     *     selected, or hold it back; code 17 when the store does not answer
     */
    Done change(
            StorageProfile home, Function<ManifestView, List<ManifestEntry>> selection, boolean force, Change change) {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            ManifestView view = manifests.view(home.root());
            List<ManifestEntry> selected = selection.apply(view);
            List<ManifestEntry> held =
                    selected.stream().filter(ManifestEntry::isHeldBack).toList();
            if (!held.isEmpty()) {
                settle(held);
                continue;
            }
            List<ManifestEntry> rows = change.of(selected);
            if (force) {
                protections.tie(rows);
                protections.end(home, rows);
            }
            ProtectionLook look = new ProtectionLook(protections, view, rows);
            DeletionCheck.protection(look.found(), force).require();
            change.ask(selected);
            change.prepare(rows);
            Done done = commit(home, selection, force, change, look, new HashSet<>(rows));
            if (done != null) {
                return done;
            }
        }
        throw CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION, "Others are changing what is to be dropped; try again in a moment.");
    }

    private void settle(List<ManifestEntry> held) {
        unfinished.ifAvailable(open -> held.forEach(row -> open.settle(row.id())));
    }

    /** Changes the rows; null when they are no longer those that were asked about. */
    private @Nullable Done commit(
            StorageProfile home,
            Function<ManifestView, List<ManifestEntry>> selection,
            boolean force,
            Change change,
            ProtectionLook look,
            Set<ManifestEntry> asked) {
        List<ManifestEntry> gone = new ArrayList<>();
        try {
            manifests.commit(home.root(), view -> {
                gone.clear();
                gone.addAll(change.of(selection.apply(view)));
                if (!asked.containsAll(gone)) {
                    throw new Moved();
                }
                DeletionCheck.protection(look.at(view, gone), force).require();
                return change.plan(gone);
            });
            return new Done(List.copyOf(gone), look.found().of(gone));
        } catch (Moved e) {
            change.withdraw();
            return null;
        } catch (CatalogException e) {
            if (!e.mayHaveHappened()) {
                change.withdraw();
            }
            // Otherwise nobody knows whether the rows have changed, and what was written down stays.
            throw e;
        }
    }
}
