package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.ReservedNames;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.storage.StorageProfile;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The records of what is in the trash: who dropped it, when, and until when it is kept. A record is written before its row is
 * trashed and goes after the row is restored or gone, so a row in the trash always has one.
 */
@Component
public final class TrashRecords implements ReservedNames {
    private static final Logger log = LoggerFactory.getLogger(TrashRecords.class);
    private static final String FOLDER = "_trash";
    private static final String RESTORED_TO = "restored_to";
    private static final int WIDTH = 16;

    private final Records records;

    public TrashRecords(Records records) {
        this.records = records;
    }

    /**
     * A record as it was found, so that only this one is taken away again.
     *
     * @param restoredTo the stored id the object was brought back as, or was about to be; null for its own
     */
    record Found(
            TrashRecord trash, String writeId, @Nullable String restoredTo) {
        private static Found of(CatalogRecord record) {
            String to = record.content().path(RESTORED_TO).asString("");
            return new Found(TrashRecord.of(record), record.writeId(), to.isEmpty() ? null : to);
        }

        boolean isOf(ManifestEntry entry) {
            return trash.id().equals(entry.id()) && trash.kind().equals(TrashRecord.kindOf(entry));
        }
    }

    /** Writes records; a repeat replaces them. */
    void put(Collection<TrashRecord> entries) {
        Fanout.map(entries, WIDTH, entry -> records.put(key(entry.kind(), entry.id()), entry.content()));
    }

    Optional<Found> find(ManifestEntry entry) {
        return records.readFresh(key(TrashRecord.kindOf(entry), entry.id())).map(Found::of);
    }

    /** What a table of this id, which is not in the trash any more, was brought back as, and where it lies. */
    Optional<Found> restored(ObjectId table) {
        return records.readFresh(key(TrashRecord.TABLE, table.stored()))
                .map(Found::of)
                .filter(found -> found.restoredTo() != null);
    }

    /**
     * Notes that an object comes back under another name. The record stays, about nothing once its row has moved, so that who asks for
     * the same again learns that it is done.
     */
    void restoring(Found found, ObjectId to) {
        TrashRecord trash = found.trash();
        records.mutate(key(trash.kind(), trash.id()), content -> content.put(RESTORED_TO, to.stored()));
    }

    Optional<TrashRecord> find(String kind, String id) {
        return records.readFresh(key(kind, id)).map(TrashRecord::of);
    }

    /** What is told of an object, which decides nothing: a record that cannot be read is as if it were not there. */
    Optional<TrashRecord> told(ManifestEntry entry) {
        return records.readFresh(key(TrashRecord.kindOf(entry), entry.id()), Records.Unreadable.SKIP)
                .map(TrashRecord::of);
    }

    /** Every record; one that cannot be read is left out. */
    List<TrashRecord> all() {
        return records.all(FOLDER, Records.Unreadable.SKIP).stream()
                .map(TrashRecord::of)
                .toList();
    }

    /** Every record, for a decision: one that cannot be read is code 17. */
    List<Found> known() {
        return records.all(FOLDER, Records.Unreadable.FAIL).stream()
                .map(Found::of)
                .toList();
    }

    /** The records of objects, as far as there are any. */
    List<Found> find(Collection<ManifestEntry> entries) {
        return Fanout.map(entries, WIDTH, this::find).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Takes records away that nobody has written since they were found: what has the name by now may be in the trash too, and needs
     * its own.
     */
    void forgetFound(Collection<Found> found) {
        Fanout.map(
                found,
                WIDTH,
                one -> records.tombstone(
                        key(one.trash().kind(), one.trash().id()),
                        now -> now.writeId().equals(one.writeId())));
    }

    /** Takes away what is still written of objects in a root in which nothing is left: it would be read for ever. */
    void forgetAll(StorageProfile home) {
        String root = home.place().external();
        forgetFound(records.all(FOLDER, Records.Unreadable.SKIP).stream()
                .map(Found::of)
                .filter(found -> found.trash().root().equals(root))
                .toList());
    }

    @Override
    public Optional<String> mayBeKeptIn(ObjectId topLevel) {
        return find(TrashRecord.NAMESPACE, topLevel.stored()).map(TrashRecord::warehouse);
    }

    @Override
    public CatalogException taken(ObjectId id, ManifestEntry row, ErrorCode code) {
        String kind = TrashRecord.kindOf(row);
        if (row.isEnding()) {
            return CatalogException.of(
                            ErrorCode.CONCURRENT_MODIFICATION,
                            "A " + kind + " '" + id + "' is being dropped; its name is free in a moment, try again.")
                    .about(Absence.resource(kind, id))
                    .retryAfter(Duration.ofSeconds(5));
        }
        // A commit may have met the row, and must not wait for the record.
        return CatalogException.of(code, () -> kept(id, kind)).about(Absence.resource(kind, id));
    }

    private String kept(ObjectId id, String kind) {
        return "A dropped " + kind + " '" + id + "' is kept in the trash" + until(id, kind)
                + "; bring it back with undrop, or free the name with purge.";
    }

    private String until(ObjectId id, String kind) {
        try {
            return find(kind, id.stored())
                    .map(found -> " until " + found.expiresAt() + " at least")
                    .orElse("");
        } catch (CatalogException e) {
            log.debug("The record of the dropped {} {} cannot be read.", kind, id, e);
            return "";
        }
    }

    private static RecordKey key(String kind, String id) {
        return RecordKey.of(FOLDER, RecordKey.hashed(kind, id));
    }
}
