package io.rask.catalog.events;

import io.rask.catalog.event.DeadLetters;
import io.rask.catalog.event.EventLog;
import io.rask.catalog.platform.Background;
import io.rask.catalog.platform.BackgroundThread;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.Records;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
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
    private final BackgroundThread thread = new BackgroundThread();

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
        thread.start("webhooks", this::watch);
    }

    @Override
    public boolean isRunning() {
        return thread.isRunning();
    }

    @Override
    public void stop() {
        thread.stop(LAST_WAIT);
        http.shutdownNow();
    }

    private void watch() throws InterruptedException {
        do {
            for (WebhookDelivery webhook : webhooks) {
                attempt("Events are delivered later.", () -> webhook.run(self));
            }
        } while (!webhooks.isEmpty() && !thread.awaitStop(DELIVER_EVERY));
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
