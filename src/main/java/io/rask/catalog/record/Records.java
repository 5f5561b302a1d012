package io.rask.catalog.record;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.CasLoop.Step;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records as JSON objects. Each has {@code format}, {@code write_id}, {@code created_at} and {@code updated_at} (UTC); they are
 * set here, whatever a caller puts there. Fields nobody here knows survive a change, so servers of two versions can share a root.
 *
 * <p>A record that is gone stays as a tombstone and reads as absent: a physical delete that arrives late would remove a record
 * that was created again in the meantime.
 *
 * <p>Every method throws a {@link io.rask.catalog.problem.CatalogException}: code 17 if the store cannot be reached, a record is
 * unreadable, or a change was not confirmed and cannot be traced; code 14 if a change lost against others six times.
 */
public final class Records implements AutoCloseable {
    private final RecordStore store;
    private final RecordFormat format;
    private final RecordCache cache;
    private final RecordListing listing;
    private final CasLoop cas;

    public Records(RecordStore store, Clock clock) {
        this.store = store;
        this.format = new RecordFormat(clock);
        this.cache = new RecordCache(store, format);
        this.listing = new RecordListing(store, cache);
        this.cas = new CasLoop(store, format, cache);
    }

    /** What a listing does about a record it can get but not understand. A store that fails is never skipped. */
    public enum Unreadable {
        /** Leaves it out with a warning in the log: one bad record does not hide the others. */
        SKIP,
        /** Fails with code 17: for decisions that must know of every record. */
        FAIL
    }

    /** What {@link #create} did. */
    public sealed interface Creation {
        /** The record as it is now in the store, whoever made it. */
        CatalogRecord record();

        /** This call made the record. */
        record Created(CatalogRecord record) implements Creation {}

        /** There was one already. */
        record Existing(CatalogRecord record) implements Creation {}
    }

    /** What {@link #tombstone} did. */
    public sealed interface Removal {
        /** This call removed the record, which last was this. */
        record Removed(CatalogRecord last) implements Removal {}

        /** There is no record. */
        record Absent() implements Removal {}

        /** The precondition does not hold for the record. */
        record Refused(CatalogRecord current) implements Removal {}
    }

    /** Reads a record from the store; empty if there is none or it was removed. */
    public Optional<CatalogRecord> read(RecordKey key) {
        return live(cache.read(key));
    }

    /**
     * Like {@link #read}, for records that are asked for all the time: content that has not changed is not transferred again, and
     * threads that ask at the same time share one question. The answer is never older than the call.
     */
    public Optional<CatalogRecord> readFresh(RecordKey key) {
        return live(cache.readFresh(key));
    }

    /** The same, where a record that cannot be understood may be as good as none. That the store does not answer is told all the same. */
    public Optional<CatalogRecord> readFresh(RecordKey key, Unreadable unreadable) {
        try {
            return readFresh(key);
        } catch (CatalogException e) {
            if (unreadable == Unreadable.SKIP && e.getCause() instanceof CorruptRecordException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Makes a record unless there is one; in place of a tombstone too. */
    public Creation create(RecordKey key, ObjectNode content) {
        return cas.run(
                key,
                current -> current == null || current.isTombstone()
                        ? new Step.Write<>(format.stamp(content, current), Creation.Created::new)
                        : new Step.Done<>(new Creation.Existing(current.record())));
    }

    /** Makes the content of a record this, whether there was one or not. Writing the same twice is harmless. */
    public CatalogRecord put(RecordKey key, ObjectNode content) {
        return cas.run(key, current -> new Step.Write<>(format.stamp(content, current), record -> record));
    }

    /**
     * Changes a record.
     *
     * @param change makes the new content of the one just read, which it may modify; called again whenever another change came
     *     first, so it must do nothing else. Content it returns as it was is not written. What it throws ends the attempt.
     * @return the record after the change; empty if there is none (any more)
     */
    public Optional<CatalogRecord> mutate(RecordKey key, UnaryOperator<ObjectNode> change) {
        return cas.run(key, current -> {
            if (current == null || current.isTombstone()) {
                return new Step.Done<>(Optional.empty());
            }
            ObjectNode changed = change.apply(current.node().deepCopy());
            return changed.equals(current.node())
                    ? new Step.Done<>(Optional.of(current.record()))
                    : new Step.Write<>(format.stamp(changed, current), Optional::of);
        });
    }

    /** Removes a record if the precondition holds for it as it is in the store at that moment. */
    public Removal tombstone(RecordKey key, Predicate<CatalogRecord> precondition) {
        return cas.run(key, current -> {
            if (current == null || current.isTombstone()) {
                return new Step.Done<>(new Removal.Absent());
            }
            CatalogRecord record = current.record();
            return precondition.test(record)
                    ? new Step.Write<>(format.tombstone(current), tombstone -> new Removal.Removed(record))
                    : new Step.Done<>(new Removal.Refused(record));
        });
    }

    /**
     * One page of the records directly in a folder such as {@code _projects}, sorted by key. Records that have not changed since
     * they were last seen are not read again.
     *
     * @param after the {@code next} of the page before; null for the first page
     * @param limit how many keys to look at, 1 to {@link RecordStore#MAX_PAGE}
     */
    public RecordPage list(String folder, @Nullable String after, int limit, Unreadable unreadable) {
        return listing.list(folder, after, limit, unreadable);
    }

    /** All records directly in a folder, sorted by key. */
    public List<CatalogRecord> all(String folder, Unreadable unreadable) {
        List<CatalogRecord> records = new ArrayList<>();
        String after = null;
        do {
            RecordPage page = list(folder, after, RecordStore.MAX_PAGE, unreadable);
            records.addAll(page.records());
            after = page.next();
        } while (after != null);
        return List.copyOf(records);
    }

    /** Removes a record for good; only for keys that nobody uses again. A crash before or after is harmless. */
    public void discard(RecordKey key) {
        store.discard(key);
    }

    /**
     * Looks at some keys directly in a folder of keys that nobody uses again, and removes for good what was last written before a moment.
     *
     * @param tombstonesOnly whether live records stay
     * @param after what the call before returned; null for the first
     * @param limit how many keys to look at, 1 to {@link RecordStore#MAX_PAGE}
     * @return what to go on with; null at the end
     */
    @Nullable
    String discardOlder(String folder, Instant before, boolean tombstonesOnly, @Nullable String after, int limit) {
        RecordListing.Old old = listing.writtenBefore(folder, before, tombstonesOnly, after, limit);
        old.keys().forEach(store::discard);
        return old.next();
    }

    private static Optional<CatalogRecord> live(Optional<Version> version) {
        return version.filter(found -> !found.isTombstone()).map(Version::record);
    }

    @Override
    public void close() {
        listing.close();
    }
}
