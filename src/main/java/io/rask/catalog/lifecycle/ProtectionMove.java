package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Creation;
import io.rask.catalog.storage.StorageProfile;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The protection of a table on its way to another name. It is there before the name, so that at no moment a protected table can be
 * dropped; whoever protects the table under its old name until the commit is heard by it ({@link ProtectionLook}).
 */
public final class ProtectionMove {
    private static final String MOVED_FROM = "moved_from";

    private final Protections protections;
    private final Records records;
    private final Manifests manifests;
    private final StorageProfile home;
    private final String to;
    private final ProtectionLook look;
    private ManifestEntry from;
    private @Nullable CatalogRecord copied;

    /**
     * @param view where the row was found
     * @param from the row under the old name
     * @param to the stored id of the new one, which was seen to be free
     */
    ProtectionMove(
            Protections protections,
            Records records,
            Manifests manifests,
            StorageProfile home,
            ManifestView view,
            ManifestEntry from,
            String to) {
        this.protections = protections;
        this.records = records;
        this.manifests = manifests;
        this.home = home;
        this.to = to;
        this.from = from;
        this.look = new ProtectionLook(protections, view, List.of(from));
        if (!look.found().records().isEmpty()) {
            copy();
        }
    }

    /**
     * Lets the commit that moves the row take along what was said of it since; it reads nothing where the row was not written again.
     *
     * @param view what the commit is planned on
     * @param row the row as it is there under the old name
     */
    public void follow(ManifestView view, ManifestEntry row) {
        if (!look.isAsSeen(view, row)) {
            from = row;
            copy();
        }
    }

    private void copy() {
        Optional<CatalogRecord> before = protections.tie(from);
        if (before.isEmpty()) {
            return;
        }
        CatalogRecord source = before.get();
        Creation creation = records.create(key(), content(source));
        if (creation instanceof Creation.Created created) {
            copied = created.record();
        } else {
            // Another renaming to this name may have put it there, when the table was not protected yet.
            records.mutate(key(), now -> stays(new CatalogRecord(key(), now), source) ? now : content(source));
        }
    }

    /** Of two that differ the one that protects is right until the name is there; after that the later one is. */
    private boolean stays(CatalogRecord now, CatalogRecord source) {
        return isTied(now)
                && (Protections.protects(now, renamed())
                        || !Protections.protects(source, from)
                                && now.updatedAt().isAfter(source.updatedAt()));
    }

    /** Makes the protection under the new name exactly what the table had; whatever was left there dies. */
    public void arrive() {
        // The old name is free by now, and what is said of it there may be about the next table of that name.
        Optional<CatalogRecord> left =
                records.read(Protections.key(from)).filter(record -> Protections.isAbout(record, from));
        if (left.isEmpty()) {
            records.tombstone(key(), record -> !isTied(record));
            return;
        }
        CatalogRecord before = left.get();
        // It is written whatever it says, or a renaming that failed would take back what counts for this one now.
        ObjectNode last = content(before).put(MOVED_FROM, from.id());
        Optional<CatalogRecord> written = records.mutate(
                key(),
                // Whoever protects it under its new name has the last word.
                now -> isLater(new CatalogRecord(key(), now), before) ? now.put(MOVED_FROM, from.id()) : last);
        if (written.isEmpty()) {
            records.create(key(), last);
        }
        records.tombstone(before.key(), record -> record.writeId().equals(before.writeId()));
    }

    private boolean isLater(CatalogRecord now, CatalogRecord before) {
        return isTied(now) && now.updatedAt().isAfter(before.updatedAt());
    }

    /** Takes back what this gave to a name that the table does not get; not if another has given it that name. */
    public void withdraw() {
        CatalogRecord mine = copied;
        if (mine == null || isThere()) {
            return;
        }
        records.tombstone(key(), record -> record.writeId().equals(mine.writeId()));
        if (isThere()) {
            records.create(key(), mine.content());
        }
    }

    private boolean isThere() {
        return manifests
                .view(home.root())
                .find(to)
                .filter(row -> Objects.equals(row.location(), from.location()))
                .isPresent();
    }

    private ObjectNode content(CatalogRecord source) {
        return source.content().put("id", to);
    }

    private boolean isTied(CatalogRecord record) {
        return Protections.isTied(record, from);
    }

    private ManifestEntry renamed() {
        return from.renamed(to);
    }

    private RecordKey key() {
        return Protections.key(renamed());
    }
}
