package io.rask.catalog.table;

import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ReservedNames;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.ProtectionMove;
import io.rask.catalog.lifecycle.Protections;
import io.rask.catalog.lifecycle.Renamings;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Gives tables other names. Only the row moves, in one commit; the dataset stays where it is. */
@Component
final class TableRenaming {
    private final Locator locator;
    private final Manifests manifests;
    private final Protections protections;
    private final ReservedNames reserved;
    private final Renamings renamings;

    TableRenaming(
            Locator locator,
            Manifests manifests,
            Protections protections,
            ReservedNames reserved,
            Renamings renamings) {
        this.renamings = renamings;
        this.reserved = reserved;
        this.locator = locator;
        this.manifests = manifests;
        this.protections = protections;
    }

    /**
     * Renames a table; to the name it has is a success that changes nothing.
     *
     * @throws CatalogException code 4 when it is not there; code 1 without the namespace it shall move to; code 5 when the name is
     *     taken; code 13 when that namespace is in another warehouse; code 14 when it took too long
     */
    void rename(ObjectId from, ObjectId to) {
        StorageProfile home = locator.locate(from).orElseThrow(() -> Absence.table(from));
        StorageProfile target = locator.locate(to).orElseThrow(() -> Absence.namespace(to.parent()));
        ManifestView seen = manifests.view(home.root());
        ManifestEntry entry = seen.table(from.stored()).orElseThrow(() -> Absence.table(from));
        if (!home.place().equals(target.place())) {
            throw CatalogException.invalid("The namespace '" + to.parent()
                    + "' is in another warehouse; a rename moves no data, so a table stays in its warehouse.");
        }
        if (from.equals(to)) {
            return;
        }
        requireFree(seen, to);
        ProtectionMove protection = protections.move(home, seen, entry, to.stored());
        Function<ManifestView, Optional<ManifestEntry>> row = view -> {
            ManifestEntry found = row(view, from, to);
            protection.follow(view, found);
            return Optional.of(found);
        };
        try {
            renamings.move(new Renamings.Move(home, from, to, row, view -> requireFree(view, to)));
        } catch (CatalogException e) {
            if (!e.mayHaveHappened()) {
                protection.withdraw();
            }
            throw e;
        }
        Announcements.add(EventType.TABLE_RENAMED.ofView(entry.isView()), from.stored(), Map.of("to", to.stored()));
        protection.arrive();
    }

    private static ManifestEntry row(ManifestView view, ObjectId from, ObjectId to) {
        ManifestEntry row = view.table(from.stored()).orElseThrow(() -> Absence.table(from));
        if (view.namespace(to.parent().stored()).isEmpty()) {
            throw Absence.namespace(to.parent());
        }
        return row;
    }

    private void requireFree(ManifestView view, ObjectId to) {
        Optional<ManifestEntry> taken = view.find(to.stored());
        if (taken.isPresent()) {
            ManifestEntry row = taken.get();
            throw row.isTrashed() || row.isEnding()
                    ? reserved.taken(to, row, ErrorCode.TABLE_ALREADY_EXISTS)
                    : TableErrors.taken(to);
        }
    }
}
