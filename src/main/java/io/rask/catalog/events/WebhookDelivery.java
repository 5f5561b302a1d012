package io.rask.catalog.events;

import io.rask.catalog.event.DeadLetters;
import io.rask.catalog.event.EventLog;
import io.rask.catalog.platform.EventProperties.Webhook;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.Lease;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings events to one webhook in the order of the log, at least once: one server by lease, the next from where the record says. An
 * event that is not taken holds up those behind it until it is, or is filed as a dead letter.
 */
final class WebhookDelivery {
    private static final Logger log = LoggerFactory.getLogger(WebhookDelivery.class);
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);
    private static final int AT_ONCE = 50;
    private static final int SUCCESS = 2;
    private static final int MOST_DOUBLINGS = 20;
    private static final String CURSOR = "cursor";
    private static final String ATTEMPTS = "attempts";
    private static final String NOT_BEFORE = "not_before";

    private final String name;
    private final Webhook hook;
    private final EventLog events;
    private final DeadLetters deadLetters;
    private final Records records;
    private final Leases leases;
    private final Clock clock;
    private final HttpClient http;
    private final RecordKey state;
    private final RecordKey leaseKey;
    private @Nullable Lease lease;

    WebhookDelivery(
            String name,
            Webhook hook,
            EventLog events,
            DeadLetters deadLetters,
            Records records,
            Leases leases,
            Clock clock,
            HttpClient http) {
        this.name = name;
        this.hook = hook;
        this.events = events;
        this.deadLetters = deadLetters;
        this.records = records;
        this.leases = leases;
        this.clock = clock;
        this.http = http;
        String hashed = RecordKey.hashed("webhook", name);
        this.state = RecordKey.of("_events/state", hashed);
        this.leaseKey = RecordKey.of("_leases", hashed);
    }

    /** Where the webhook is in the log. */
    private record Place(String cursor, int attempts, Instant notBefore) {
        Place behind(EventLog.Entry entry) {
            return new Place(entry.next(), 0, Instant.EPOCH);
        }

        ObjectNode into(ObjectNode node) {
            return node.put(CURSOR, cursor).put(ATTEMPTS, attempts).put(NOT_BEFORE, notBefore.toString());
        }

        static Place of(CatalogRecord record) {
            ObjectNode node = record.content();
            return new Place(
                    node.path(CURSOR).asString(),
                    node.path(ATTEMPTS).asInt(),
                    Instant.parse(node.path(NOT_BEFORE).asString()));
        }
    }

    /** Delivers what there is, as far as it is taken; does nothing where another server does it. */
    void run(String self) throws InterruptedException {
        if (!isHeld(self)) {
            return;
        }
        Place place = place();
        if (clock.instant().isBefore(place.notBefore())) {
            return;
        }
        EventLog.Page page = events.read(place.cursor(), AT_ONCE);
        if (page.reset()) {
            log.warn("Events are gone that the webhook {} was not told of.", name);
        }
        Place before = place;
        try {
            for (EventLog.Entry entry : page.entries()) {
                Optional<String> failure = isWanted(entry) ? posted(entry) : Optional.empty();
                place = failure.isEmpty() ? place.behind(entry) : afterFailure(place, entry, failure.get());
                if (clock.instant().isBefore(place.notBefore()) || !isHeld(self)) {
                    return;
                }
            }
        } finally {
            if (!place.equals(before)) {
                Place reached = place;
                records.mutate(state, reached::into);
            }
        }
    }

    private boolean isHeld(String self) {
        Lease held = lease;
        Instant now = clock.instant();
        if (held == null || !held.isHeldAt(now)) {
            lease = leases.acquire(leaseKey, self, LEASE).orElse(null);
        } else if (!held.isHeldAt(now.plus(LEASE.dividedBy(2)))) {
            lease = leases.renew(held, LEASE).orElse(null);
        }
        return lease != null;
    }

    void release() {
        Lease held = lease;
        if (held != null) {
            lease = null;
            leases.release(held);
        }
    }

    /** A webhook that is new is told what happens from now on. */
    private Place place() {
        return records.readFresh(state).map(Place::of).orElseGet(() -> {
            Place first = new Place(events.end(), 0, Instant.EPOCH);
            return Place.of(records.create(state, first.into(JsonNodeFactory.instance.objectNode()))
                    .record());
        });
    }

    private boolean isWanted(EventLog.Entry entry) {
        return hook.types().isEmpty()
                || hook.types().contains(entry.event().path("type").asString());
    }

    /** Posts an event; why it was not taken. */
    private Optional<String> posted(EventLog.Entry entry) throws InterruptedException {
        CompletableFuture<HttpResponse<Void>> answer =
                http.sendAsync(WebhookRequest.of(hook, entry.event(), clock.instant()), BodyHandlers.discarding());
        try {
            // The timeout of the request ends with the headers, and the body may take for ever.
            int status =
                    answer.get(hook.timeout().toMillis(), TimeUnit.MILLISECONDS).statusCode();
            return status / 100 == SUCCESS ? Optional.empty() : Optional.of("it answered " + status);
        } catch (TimeoutException e) {
            return Optional.of("it took longer than " + hook.timeout().toMillis() + " ms");
        } catch (ExecutionException e) {
            return Optional.of("it could not be reached: " + cause(e).getClass().getSimpleName());
        } finally {
            answer.cancel(true);
        }
    }

    private static Throwable cause(ExecutionException failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : cause;
    }

    private Place afterFailure(Place place, EventLog.Entry entry, String reason) {
        int attempts = place.attempts() + 1;
        if (attempts >= hook.attempts()) {
            log.warn("The webhook {} did not take the event at {}: {}", name, entry.at(), reason);
            deadLetters.file(name, entry, attempts, reason);
            return place.behind(entry);
        }
        Duration pause = hook.backoff().multipliedBy(1L << Math.min(attempts - 1, MOST_DOUBLINGS));
        return new Place(
                entry.at(),
                attempts,
                clock.instant().plus(pause.compareTo(LONGEST_BACKOFF) < 0 ? pause : LONGEST_BACKOFF));
    }
}
