package io.rask.catalog.lance;

import io.rask.catalog.platform.Background;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Has manifests tidied while this server commits to them and once more when it stops, in the background, by one server at a time:
 * the one that holds the lease. So it is with a root that is used for the first time, because the server before may have ended in the
 * midst of many commits. A manifest that could not be tidied is tidied after the next commits.
 */
@Component
final class ManifestTidying implements ManifestListener, DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(ManifestTidying.class);
    /** Fewer old versions than this do no harm. */
    private static final int FEW = 20;

    private static final Duration LEASE = Duration.ofMinutes(5);

    private final ManifestUpkeep upkeep;
    private final Leases leases;
    private final Duration pause;
    private final String owner = "server-" + UUID.randomUUID();
    private final ConcurrentMap<CatalogRoot, Backlog> backlogs = new ConcurrentHashMap<>();
    private final ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("manifest-tidying").unstarted(task));

    @Autowired
    ManifestTidying(NativeRuntime runtime, NativeCalls calls, Leases leases, Clock clock) {
        this(new ManifestUpkeep(runtime, calls, clock), leases, ManifestUpkeep.RETENTION);
    }

    /** @param pause between two looks */
    ManifestTidying(ManifestUpkeep upkeep, Leases leases, Duration pause) {
        this.upkeep = upkeep;
        this.leases = leases;
        this.pause = pause;
    }

    @Override
    public void committed(CatalogRoot root) {
        count(root, Backlog::add);
    }

    @Override
    public void opened(CatalogRoot root) {
        count(root, Backlog::suspect);
    }

    private void count(CatalogRoot root, Predicate<Backlog> counting) {
        if (counting.test(backlogs.computeIfAbsent(root, any -> new Backlog()))) {
            look(root);
        }
    }

    private void look(CatalogRoot root) {
        try {
            background.schedule(
                    Background.task("Nobody looks at " + root + " until the next commit.", () -> tidyIfDue(root)),
                    pause.toMillis(),
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("The server is stopping; {} is tidied by another.", root, e);
        }
    }

    private void tidyIfDue(CatalogRoot root) {
        Backlog backlog = backlogs.computeIfAbsent(root, any -> new Backlog());
        try {
            if (backlog.isDue()) {
                tidy(root);
            }
        } finally {
            if (backlog.goesOn()) {
                look(root);
            }
        }
    }

    /** The versions that our commits have left behind. */
    private static final class Backlog {
        /** Made since the last look, so still too young at the next. */
        private int young;

        private int old;
        private boolean watched;

        /** Counts a version; true when somebody must begin to look at it. */
        synchronized boolean add() {
            young++;
            return begins();
        }

        /** Takes it that there are old versions; true when somebody must begin to look at them. */
        synchronized boolean suspect() {
            old += FEW;
            return begins();
        }

        private boolean begins() {
            boolean begin = !watched;
            watched = true;
            return begin;
        }

        /** Looks: whether enough versions are old enough by now. */
        synchronized boolean isDue() {
            boolean due = old >= FEW;
            old = due ? young : old + young;
            young = 0;
            return due;
        }

        /** Whether another look will be needed though nobody commits any more. */
        synchronized boolean goesOn() {
            watched = old + young >= FEW;
            return watched;
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
