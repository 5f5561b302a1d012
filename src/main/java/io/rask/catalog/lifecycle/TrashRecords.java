package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.ReservedNames;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The records of what is in the trash: who dropped it, when, and until when it is kept. A record is written before its row is
 * trashed and goes after the row is restored or gone, so a row in the trash always has one.
 */
@Component
public final class TrashRecords implements ReservedNames {
    private static final String FOLDER = "_trash";
    private static final int WIDTH = 16;

    private final Records records;

    public TrashRecords(Records records) {
        this.records = records;
    }

    /** A record as it was found, so that only this one is taken away again. */
    record Found(TrashRecord trash, String writeId) {}

    /** Writes records; a repeat replaces them. */
    void put(Collection<TrashRecord> entries) {
        Fanout.map(entries, WIDTH, entry -> records.put(key(entry.kind(), entry.id()), entry.content()));
    }

    Optional<Found> find(ManifestEntry entry) {
        return records.readFresh(key(TrashRecord.kindOf(entry), entry.id()))
                .map(record -> new Found(TrashRecord.of(record), record.writeId()));
    }

    Optional<TrashRecord> find(String kind, String id) {
        return records.readFresh(key(kind, id)).map(TrashRecord::of);
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
                .map(record -> new Found(TrashRecord.of(record), record.writeId()))
                .toList();
    }

    /** Takes away the records of what is gone. */
    void forget(Collection<ManifestEntry> gone) {
        Fanout.map(gone, WIDTH, entry -> records.tombstone(key(TrashRecord.kindOf(entry), entry.id()), any -> true));
    }

    /** Takes records away that nobody has written since they were found. */
    void forgetFound(Collection<Found> found) {
        Fanout.map(
                found,
                WIDTH,
                one -> records.tombstone(
                        key(one.trash().kind(), one.trash().id()),
                        now -> now.writeId().equals(one.writeId())));
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
        return taken(id, kind, code, find(kind, id.stored()));
    }

    private static CatalogException taken(ObjectId id, String kind, ErrorCode code, Optional<TrashRecord> record) {
        String until =
                record.map(found -> " until " + found.expiresAt() + " at least").orElse("");
        return CatalogException.of(
                        code,
                        "A dropped " + kind + " '" + id + "' is kept in the trash" + until
                                + "; bring it back with undrop, or free the name with purge.")
                .about(Absence.resource(kind, id));
    }

    private static RecordKey key(String kind, String id) {
        return RecordKey.of(FOLDER, RecordKey.hashed(kind, id));
    }
}
