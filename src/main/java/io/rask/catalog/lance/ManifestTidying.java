package io.rask.catalog.lance;

import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Has a manifest tidied after every so many commits of this server, in the background, by one server at a time: the one that holds
 * the lease. A manifest that could not be tidied is tidied after the next commits.
 */
@Component
final class ManifestTidying implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(ManifestTidying.class);
    private static final int COMMITS = 200;
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final ManifestUpkeep upkeep;
    private final Leases leases;
    private final String owner = "server-" + UUID.randomUUID();
    private final ConcurrentMap<CatalogRoot, AtomicInteger> commits = new ConcurrentHashMap<>();
    private final ExecutorService background = Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().daemon().name("manifest-tidying").unstarted(task));

    ManifestTidying(NativeRuntime runtime, NativeCalls calls, Leases leases, Clock clock) {
        this.upkeep = new ManifestUpkeep(runtime, calls, clock);
        this.leases = leases;
    }

    /** Counts a commit. */
    void committed(CatalogRoot root) {
        AtomicInteger count = commits.computeIfAbsent(root, any -> new AtomicInteger());
        if (count.incrementAndGet() % COMMITS != 0) {
            return;
        }
        try {
            background.execute(() -> tidy(root));
        } catch (RejectedExecutionException e) {
            log.debug("The server is stopping; {} is tidied by another.", root, e);
        }
    }

    private void tidy(CatalogRoot root) {
        try {
            RecordKey key = RecordKey.of("_leases", RecordKey.hashed("manifest", root.uri()));
            Optional<Lease> lease = leases.acquire(key, owner, LEASE);
            if (lease.isPresent()) {
                try {
                    upkeep.tidy(root);
                } finally {
                    leases.release(lease.get());
                }
            }
        } catch (RuntimeException e) {
            log.warn("The catalog manifest of {} could not be tidied; it grows until the next time.", root, e);
        }
    }

    @Override
    public void destroy() {
        background.shutdownNow();
    }
}
