package io.rask.catalog.table;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ownership;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ReservedNames;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lifecycle.Protections;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Gives tables other names. Only the row moves, in one commit; the dataset stays where it is. */
@Component
final class TableRenaming {
    private static final Logger log = LoggerFactory.getLogger(TableRenaming.class);

    private final Locator locator;
    private final Manifests manifests;
    private final Protections protections;
    private final ReservedNames reserved;
    private final Ownership ownership;

    TableRenaming(
            Locator locator,
            Manifests manifests,
            Protections protections,
            ReservedNames reserved,
            Ownership ownership) {
        this.ownership = ownership;
        this.reserved = reserved;
        this.locator = locator;
        this.manifests = manifests;
        this.protections = protections;
    }

    /**
     * Renames a table; to the name it has is a success that changes nothing.
     *
     * @throws CatalogException code 4 when it is not there; code 1 without the namespace it shall move to; code 5 when the name is
     *     taken; code 13 when that namespace is in another warehouse
     */
    void rename(ObjectId from, ObjectId to) {
        StorageProfile home = locator.locate(from).orElseThrow(() -> Absence.table(from));
        StorageProfile target = locator.locate(to).orElseThrow(() -> Absence.namespace(to.parent()));
        ManifestEntry entry = manifests.view(home.root()).table(from.stored()).orElseThrow(() -> Absence.table(from));
        if (!home.place().equals(target.place())) {
            throw CatalogException.invalid("The namespace '" + to.parent()
                    + "' is in another warehouse; a rename moves no data, so a table stays in its warehouse.");
        }
        if (from.equals(to)) {
            return;
        }
        // Rights must not come onto a table of others that has the name.
        requireFree(manifests.view(home.root()), to);
        // The protection is there before the name, so that at no moment a protected table can be dropped.
        boolean copied = protections.copy(entry, entry.renamed(to.stored()));
        try {
            ownership.moving(AccessObject.table(from), AccessObject.table(to), AccessObject.namespace(to.parent()));
            manifests.commit(home.root(), view -> {
                ManifestEntry now = view.table(from.stored()).orElseThrow(() -> Absence.table(from));
                if (view.namespace(to.parent().stored()).isEmpty()) {
                    throw Absence.namespace(to.parent());
                }
                requireFree(view, to);
                return ManifestChange.Plan.move(now, to.stored());
            });
        } catch (CatalogException e) {
            undo(entry, to, copied, e);
            throw e;
        }
        protections.moved(entry, entry.renamed(to.stored()));
        Announcements.add(EventType.TABLE_RENAMED, from.stored(), Map.of("to", to.stored()));
        left(from);
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

    private void undo(ManifestEntry entry, ObjectId to, boolean copied, CatalogException failure) {
        if (failure.mayHaveHappened()) {
            return;
        }
        if (copied) {
            protections.uncopy(entry.renamed(to.stored()));
        }
        ObjectId from = Delimiter.STORED.split(entry.id());
        ownership.stayed(AccessObject.table(from), AccessObject.table(to));
    }

    /** The table has its new name: what is still said of the old one is told, and not a reason to fail. */
    private void left(ObjectId from) {
        try {
            ownership.ended(List.of(AccessObject.table(from)));
        } catch (CatalogException e) {
            log.warn("Rights are still held on {}, which has another name now.", from, e);
        }
    }
}
