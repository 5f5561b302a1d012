package io.rask.catalog.record;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records as bytes on a control root, written only under a condition. Two implementations: {@link FileRecordStore} and
 * {@link S3RecordStore}. An etag is opaque and passed on verbatim; a store may give the same etag to the same bytes, so every
 * version of a record must differ in at least a write id.
 *
 * <p>There is no delete of a key that may be used again: a delete that arrives late (a retry, a slow proxy) would remove a record that somebody made again in
 * the meantime, and stores do not agree on conditional deletes. Records are replaced by tombstones instead, see {@link Records}.
 *
 * <p>Every method throws a {@link io.rask.catalog.problem.CatalogException} with code 17 where the store does not answer, refuses
 * (missing bucket, credentials, permissions) or answers nonsense; never an empty answer.
 */
public interface RecordStore extends AutoCloseable {
    /** The largest record in bytes. Longer content is refused on write and counts as unreadable on read. */
    int MAX_BYTES = 16 << 20;

    /** The most keys one {@link #list} may ask for. */
    int MAX_PAGE = 1000;

    /** Reads a record; empty if there is none. */
    Optional<StoredBytes> read(RecordKey key);

    /** Reads a record unless it still is what the caller knows under {@code etag}. Always asks the store. */
    Revalidated readIfChanged(RecordKey key, String etag);

    /** Writes a record that must not exist yet. */
    WriteOutcome createIfAbsent(RecordKey key, byte[] bytes);

    /** Replaces a record that must still be what was read under {@code etag}. */
    WriteOutcome replaceIfMatch(RecordKey key, byte[] bytes, String etag);

    /**
     * One page of the keys that start with {@code prefix}, in byte order. Keys that break the rules of {@link RecordKey} are
     * somebody else's and left out, so a page may be shorter than asked for, even empty, and still have a successor.
     *
     * @param after the page begins behind this key; null for the first page
     * @param limit how many keys to look at, 1 to {@link #MAX_PAGE}
     */
    Page list(String prefix, @Nullable String after, int limit);

    /**
     * Removes a record under a key that nobody uses again once it is gone, see {@link RecordKey#isSingleUse}; refuses any other
     * key. Nothing there is no failure.
     */
    void discard(RecordKey key);

    @Override
    void close();

    private static void require(boolean rule, RecordKey key, String text) {
        if (!rule) {
            throw new IllegalArgumentException(key + " " + text);
        }
    }

    /** The check every implementation of {@link #discard} begins with. */
    static void requireSingleUse(RecordKey key) {
        require(key.isSingleUse(), key, "may be used again; such records are never removed");
    }

    /** The check every write begins with. */
    static void requireFits(RecordKey key, byte[] bytes) {
        require(bytes.length <= MAX_BYTES, key, "would have " + bytes.length + " bytes, more than " + MAX_BYTES);
    }

    /** The content of a record and the etag to replace it under. */
    record StoredBytes(byte[] bytes, String etag) {}

    /** A key found by {@link #list}, with the etag its record had at that moment. */
    record Listed(RecordKey key, String etag) {}

    /**
     * A page of keys.
     *
     * @param next what to pass as {@code after} for the next page; null on the last page
     */
    record Page(List<Listed> entries, @Nullable String next) {}

    /** What {@link #readIfChanged} found. */
    sealed interface Revalidated {
        /** The record is what the caller knows. */
        record Unchanged() implements Revalidated {}

        /** The record is another one now. */
        record Changed(StoredBytes stored) implements Revalidated {}

        /** There is no record any more. */
        record Absent() implements Revalidated {}
    }

    /** What became of a conditional write. A definite refusal for another reason than the condition is an exception. */
    sealed interface WriteOutcome {
        /** The write was done; the record is now under this etag. */
        record Written(String etag) implements WriteOutcome {}

        /** The condition did not hold: somebody else wrote first, or the record to replace is not there. Nothing was written. */
        record Lost() implements WriteOutcome {}

        /**
         * Nobody can say: the reply was lost, late or an error of the server. The write may have been done, and it may still be
         * done later.
         */
        record Unknown(Exception cause) implements WriteOutcome {}
    }
}
