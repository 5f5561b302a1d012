package io.rask.catalog.events;

import io.rask.catalog.event.DeadLetters;
import io.rask.catalog.event.EventLog;
import io.rask.catalog.idempotency.KeyRetention;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.EventProperties;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** What goes on beside requests: webhooks are told, and what is old is forgotten, by one server at a time. */
@Component
final class EventUpkeep implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(EventUpkeep.class);
    private static final RecordKey LEASE = RecordKey.of("_leases", "event-retention");
    private static final Duration LEASE_LENGTH = Duration.ofMinutes(30);
    private static final Duration DELIVER_EVERY = Duration.ofSeconds(1);
    private static final Duration FORGET_EVERY = Duration.ofHours(6);
    private static final Duration FIRST_FORGET = Duration.ofMinutes(10);
    private static final Duration LAST_WAIT = Duration.ofSeconds(12);

    private final EventProperties settings;
    private final EventLog events;
    private final DeadLetters deadLetters;
    private final KeyRetention keys;
    private final Leases leases;
    private final Clock clock;
    private final HttpClient http = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final List<WebhookDelivery> webhooks;
    private final String self = "server-" + UUID.randomUUID();
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
    /** Whether the last round of forgetting left something to the next. */
    private boolean more;

    EventUpkeep(
            CatalogProperties properties,
            EventLog events,
            DeadLetters deadLetters,
            KeyRetention keys,
            Records records,
            Leases leases,
            Clock clock) {
        this.settings = properties.events();
        this.events = events;
        this.deadLetters = deadLetters;
        this.keys = keys;
        this.leases = leases;
        this.clock = clock;
        this.webhooks = settings.webhooks().entrySet().stream()
                .map(hook -> new WebhookDelivery(
                        hook.getKey(), hook.getValue(), events, deadLetters, records, leases, clock, http))
                .toList();
    }

    @Override
    public void start() {
        thread = Thread.ofPlatform().daemon().name("event-upkeep").start(this::watch);
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    @Override
    public void stop() {
        Thread running = thread;
        if (running == null) {
            return;
        }
        thread = null;
        stop.countDown();
        try {
            running.join(LAST_WAIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch() {
        long forgotten = System.nanoTime() - FORGET_EVERY.minus(FIRST_FORGET).toNanos();
        Duration pause = webhooks.isEmpty() ? FIRST_FORGET : DELIVER_EVERY;
        try {
            do {
                for (WebhookDelivery webhook : webhooks) {
                    attempt("Events are delivered later.", () -> webhook.run(self));
                }
                if (more || System.nanoTime() - forgotten > FORGET_EVERY.toNanos()) {
                    forgotten = System.nanoTime();
                    attempt("What is old is kept until the next time.", this::forget);
                }
            } while (!stop.await((more ? DELIVER_EVERY : pause).toMillis(), TimeUnit.MILLISECONDS));
            for (WebhookDelivery webhook : webhooks) {
                attempt("The lease of a webhook runs out.", webhook::release);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            http.close();
        }
    }

    /** Work that may be interrupted. */
    private interface Work {
        void run() throws InterruptedException;
    }

    private static void attempt(String otherwise, Work work) throws InterruptedException {
        try {
            work.run();
        } catch (RuntimeException e) {
            log.warn(otherwise, e);
        }
    }

    private void forget() {
        more = false;
        Optional<Lease> lease = leases.acquire(LEASE, self, LEASE_LENGTH);
        if (lease.isPresent()) {
            try {
                more = events.forget(clock.instant().minus(settings.retention()), settings.mostSegments());
                if (!more) {
                    deadLetters.forget(clock.instant().minus(settings.retention()));
                    keys.forget();
                }
            } finally {
                leases.release(lease.get());
            }
        }
    }
}
