package io.rask.catalog.events;

import io.rask.catalog.event.DeadLetters;
import io.rask.catalog.event.EventLog;
import io.rask.catalog.platform.Background;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.Records;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Tells webhooks what happened, beside requests; each is told by one server at a time. */
@Component
final class WebhookUpkeep implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(WebhookUpkeep.class);
    private static final Duration DELIVER_EVERY = Duration.ofSeconds(1);
    private static final Duration LAST_WAIT = Duration.ofSeconds(12);

    private final HttpClient http = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final List<WebhookDelivery> webhooks;
    private final String self = "server-" + UUID.randomUUID();
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile @Nullable Thread thread;

    WebhookUpkeep(
            CatalogProperties properties,
            EventLog events,
            DeadLetters deadLetters,
            Records records,
            Leases leases,
            Clock clock) {
        this.webhooks = properties.events().webhooks().entrySet().stream()
                .map(hook -> new WebhookDelivery(
                        hook.getKey(), hook.getValue(), events, deadLetters, records, leases, clock, http))
                .toList();
    }

    @Override
    public void start() {
        thread = Background.start("webhooks", this::watch);
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
        http.shutdownNow();
    }

    private void watch() throws InterruptedException {
        do {
            for (WebhookDelivery webhook : webhooks) {
                attempt("Events are delivered later.", () -> webhook.run(self));
            }
        } while (!webhooks.isEmpty() && !stop.await(DELIVER_EVERY.toMillis(), TimeUnit.MILLISECONDS));
        for (WebhookDelivery webhook : webhooks) {
            attempt("The lease of a webhook runs out.", webhook::release);
        }
    }

    /** One webhook that fails holds up no other, whatever it fails of. */
    private static void attempt(String otherwise, Background.Loop work) throws InterruptedException {
        try {
            work.run();
        } catch (RuntimeException e) {
            log.warn(otherwise, e);
        } catch (Error e) {
            Background.failed(otherwise, e);
        }
    }
}
