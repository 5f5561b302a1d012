package io.rask.catalog.record;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordStore.Listed;
import io.rask.catalog.record.RecordStore.Page;
import io.rask.catalog.record.Records.Unreadable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists the records of a folder page by page; reads those the cache does not have, several at a time. */
final class RecordListing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecordListing.class);
    private static final int READERS = 8;

    private final RecordStore store;
    private final RecordCache cache;
    private final ExecutorService readers = Executors.newFixedThreadPool(
            READERS, Thread.ofPlatform().daemon().name("record-reader-", 0).factory());

    RecordListing(RecordStore store, RecordCache cache) {
        this.store = store;
        this.cache = cache;
    }

    RecordPage list(String folder, @Nullable String after, int limit, Unreadable unreadable) {
        String prefix = folder + "/";
        Page page = store.list(prefix, after, limit);
        List<CatalogRecord> live = versions(direct(prefix, page), unreadable).stream()
                .filter(version -> !version.isTombstone())
                .map(Version::record)
                .toList();
        return new RecordPage(live, beyondNested(prefix, page.next()));
    }

    /**
     * Keys of what is old.
     *
     * @param next what to go on behind; null at the end
     */
    record Old(List<RecordKey> keys, @Nullable String next) {}

    /** Those of a page of what is directly in a folder that were last written before a moment. */
    Old writtenBefore(String folder, Instant before, boolean tombstonesOnly, @Nullable String after, int limit) {
        String prefix = folder + "/";
        Page page = store.list(prefix, after, limit);
        List<RecordKey> old = versions(direct(prefix, page), Unreadable.SKIP).stream()
                .filter(version -> version.isTombstone() || !tombstonesOnly)
                .filter(version -> version.record().updatedAt().isBefore(before))
                .map(Version::key)
                .toList();
        return new Old(old, beyondNested(prefix, page.next()));
    }

    private static List<Listed> direct(String prefix, Page page) {
        return page.entries().stream()
                .filter(entry -> !isNested(prefix, entry.key().value()))
                .toList();
    }

    private List<Version> versions(List<Listed> entries, Unreadable unreadable) {
        List<CompletableFuture<Optional<Version>>> reads = entries.stream()
                .map(entry -> CompletableFuture.supplyAsync(() -> read(entry, unreadable), readers))
                .toList();
        List<Version> versions = new ArrayList<>();
        for (CompletableFuture<Optional<Version>> read : reads) {
            join(read).ifPresent(versions::add);
        }
        return versions;
    }

    private Optional<Version> read(Listed entry, Unreadable unreadable) {
        try {
            return cache.listed(entry);
        } catch (CorruptRecordException e) {
            if (unreadable == Unreadable.FAIL) {
                throw RecordCache.unreadable(e);
            }
            LOG.warn("A listing leaves out a record: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<Version> join(CompletableFuture<Optional<Version>> read) {
        try {
            return read.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof CatalogException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static boolean isNested(String prefix, String key) {
        return key.indexOf('/', prefix.length()) >= 0;
    }

    /** A page that ends inside a nested folder goes on behind that folder, however much is in it. */
    private static @Nullable String beyondNested(String prefix, @Nullable String next) {
        if (next == null || !next.startsWith(prefix) || !isNested(prefix, next)) {
            return next;
        }
        char afterSlash = '/' + 1;
        return next.substring(0, next.indexOf('/', prefix.length())) + afterSlash;
    }

    @Override
    public void close() {
        readers.shutdownNow();
    }
}
