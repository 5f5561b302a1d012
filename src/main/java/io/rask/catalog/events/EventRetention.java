package io.rask.catalog.events;

import io.rask.catalog.event.DeadLetters;
import io.rask.catalog.event.EventLog;
import io.rask.catalog.idempotency.KeyRetention;
import io.rask.catalog.platform.BackgroundThread;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.EventProperties;
import io.rask.catalog.record.Forgetting;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Forgets what is old: events, dead letters, and answers kept for repeats. One server at a time does it, in short rounds with a pause
 * between them, on a thread that nobody waits for.
 */
@Component
final class EventRetention implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(EventRetention.class);
    private static final RecordKey LEASE = RecordKey.of("_leases", "event-retention");
    private static final Duration LEASE_LENGTH = Duration.ofMinutes(10);
    private static final Duration FIRST = Duration.ofMinutes(10);
    private static final Duration EVERY = Duration.ofHours(6);
    private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(1);
    /** A round that is not over by then ends by itself: what it forgets is old whenever that is. */
    private static final Duration LAST_WAIT = Duration.ofSeconds(5);

    private final Leases leases;
    private final Forgetting forgetting;
    private final String self = "server-" + UUID.randomUUID();
    private final BackgroundThread thread = new BackgroundThread();
    private Duration pause = FIRST;

    EventRetention(
            CatalogProperties properties,
            EventLog events,
            DeadLetters deadLetters,
            KeyRetention keys,
            Leases leases,
            Clock clock) {
        EventProperties settings = properties.events();
        this.leases = leases;
        this.forgetting = new Forgetting(List.of(
                () -> events.forget(clock.instant().minus(settings.retention()), settings.mostSegments()),
                () -> deadLetters.forget(clock.instant().minus(settings.retention())),
                keys::forget));
    }

    @Override
    public void start() {
        thread.start("event-retention", this::watch);
    }

    @Override
    public boolean isRunning() {
        return thread.isRunning();
    }

    @Override
    public void stop() {
        thread.stop(LAST_WAIT);
    }

    private void watch() throws InterruptedException {
        while (!thread.awaitStop(pause)) {
            pause = EVERY;
            pause = goesOn() ? BETWEEN_ROUNDS : EVERY;
        }
    }

    private boolean goesOn() {
        try {
            return round();
        } catch (RuntimeException e) {
            log.warn("What is old is kept until the next time.", e);
            return false;
        }
    }

    /** Does a round where no other server does; whether there is more. */
    boolean round() {
        Optional<Lease> lease = leases.acquire(LEASE, self, LEASE_LENGTH);
        if (lease.isEmpty()) {
            return false;
        }
        try {
            return forgetting.round();
        } finally {
            leases.release(lease.get());
        }
    }
}
