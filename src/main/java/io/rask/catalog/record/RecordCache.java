package io.rask.catalog.record;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rask.catalog.platform.Coalescer;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordStore.Listed;
import io.rask.catalog.record.RecordStore.Revalidated;
import io.rask.catalog.record.RecordStore.StoredBytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads records, and keeps parsed ones so that asking again costs no transfer. What is kept is never an answer by itself: it is
 * used only after the store said that it still is current, by its etag.
 */
final class RecordCache {
    private static final long MAX_CONTENT_BYTES = 16L << 20;

    private final RecordStore store;
    private final RecordFormat format;
    private final Cache<RecordKey, Version> versions = Caffeine.newBuilder()
            .maximumWeight(MAX_CONTENT_BYTES)
            .weigher((RecordKey key, Version version) -> version.size())
            .build();
    /** One per key that is being asked for; weak, so that the keys of the past do not add up. */
    private final Cache<RecordKey, Coalescer<Optional<Version>>> questions =
            Caffeine.newBuilder().weakValues().build();

    RecordCache(RecordStore store, RecordFormat format) {
        this.store = store;
        this.format = format;
    }

    /** Reads and parses, whatever is kept. */
    Optional<Version> read(RecordKey key) {
        return store.read(key).map(stored -> parse(key, stored));
    }

    /** Asks the store whether what is kept still is current; threads that ask at the same time share the answer. */
    Optional<Version> readFresh(RecordKey key) {
        Coalescer<Optional<Version>> question = questions.get(key, asked -> new Coalescer<>(() -> revalidate(asked)));
        return question.fresh();
    }

    /** The version a listing found, read only if it is not kept; empty if the record went away since. */
    Optional<Version> listed(Listed listed) throws CorruptRecordException {
        Version kept = versions.getIfPresent(listed.key());
        if (kept != null && kept.etag().equals(listed.etag())) {
            return Optional.of(kept);
        }
        Optional<StoredBytes> stored = store.read(listed.key());
        return stored.isEmpty() ? Optional.empty() : Optional.of(keep(format.parse(listed.key(), stored.get())));
    }

    Version keep(Version version) {
        versions.put(version.key(), version);
        return version;
    }

    private Optional<Version> revalidate(RecordKey key) {
        @Nullable Version kept = versions.getIfPresent(key);
        if (kept == null) {
            return read(key);
        }
        return switch (store.readIfChanged(key, kept.etag())) {
            case Revalidated.Unchanged unchanged -> Optional.of(kept);
            case Revalidated.Changed changed -> Optional.of(parse(key, changed.stored()));
            case Revalidated.Absent absent -> {
                versions.invalidate(key);
                yield Optional.empty();
            }
        };
    }

    private Version parse(RecordKey key, StoredBytes stored) {
        try {
            return keep(format.parse(key, stored));
        } catch (CorruptRecordException e) {
            throw unreadable(e);
        }
    }

    static CatalogException unreadable(CorruptRecordException cause) {
        return CatalogException.unavailable(
                "A record of the catalog is unreadable; an operator has to look at it.", cause);
    }
}
