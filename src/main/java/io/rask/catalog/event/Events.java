package io.rask.catalog.event;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.EventProperties;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes what happened and brings it into the log, what comes together in one segment. A caller waits for that, so that an answered
 * request is told of; but only for a moment: while the store is out, events wait here and callers do not.
 */
@Component
public final class Events implements DisposableBean, MeterBinder {
    private static final Logger log = LoggerFactory.getLogger(Events.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration LAST_WAIT = Duration.ofSeconds(10);

    private final EventLog events;
    private final Clock clock;
    private final EventProperties settings;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong written = new AtomicLong();

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private @Nullable Thread writer;
    private boolean stopping;
    private boolean outage;

    Events(EventLog events, Clock clock, CatalogProperties properties) {
        this.events = events;
        this.clock = clock;
        this.settings = properties.events();
    }

    private record Waiting(ObjectNode event, CompletableFuture<@Nullable Void> kept) {}

    /**
     * Tells what happened, in its order; never fails.
     *
     * @param by who caused it
     * @param request the id of the request, or of the job, that caused it
     */
    public void happened(Collection<Happening> happenings, String by, String request) {
        if (!settings.enabled() || happenings.isEmpty()) {
            return;
        }
        CompletableFuture<@Nullable Void> kept = offer(happenings.stream()
                .map(happening -> CloudEvent.of(happening, clock.instant(), by, request))
                .toList());
        try {
            kept.get(settings.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            log.debug("Events of the request {} are written later.", request);
        }
    }

    private synchronized CompletableFuture<@Nullable Void> offer(List<ObjectNode> told) {
        CompletableFuture<@Nullable Void> kept = new CompletableFuture<>();
        if (stopping || queue.size() + told.size() > settings.buffer()) {
            dropped.addAndGet(told.size());
            log.error("The log of events takes nothing, and no more can wait: {} are lost: {}", told.size(), told);
            return CompletableFuture.completedFuture(null);
        }
        told.forEach(event -> queue.add(new Waiting(event, kept)));
        if (writer == null) {
            writer = Thread.ofPlatform().daemon().name("events").start(this::write);
        }
        notifyAll();
        // In an outage nobody waits: the first that waited has shown it.
        return outage ? CompletableFuture.completedFuture(null) : kept;
    }

    private void write() {
        try {
            for (List<Waiting> batch = next(); !batch.isEmpty(); batch = next()) {
                keep(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What waits; nothing at the end. */
    private synchronized List<Waiting> next() throws InterruptedException {
        while (queue.isEmpty() && !stopping) {
            wait();
        }
        return queue.stream().limit(EventLog.MOST).toList();
    }

    private void keep(List<Waiting> batch) throws InterruptedException {
        String id = UUID.randomUUID().toString();
        List<ObjectNode> told = batch.stream().map(Waiting::event).toList();
        Duration pause = FIRST_PAUSE;
        while (!isAppended(id, told)) {
            if (!pause(pause)) {
                return;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
        synchronized (this) {
            batch.forEach(any -> queue.remove());
        }
        written.addAndGet(batch.size());
        batch.forEach(waiting -> waiting.kept().complete(null));
    }

    private boolean isAppended(String id, List<ObjectNode> told) {
        try {
            events.append(id, told);
            after(false);
            return true;
        } catch (RuntimeException e) {
            // Whatever it is: without this thread no event is written any more, and every request waits for one.
            if (after(true)) {
                log.warn("The log of events takes nothing; {} and what comes now wait.", told.size(), e);
            }
            return false;
        }
    }

    /** Notes whether the log takes anything; true when that is new. */
    private synchronized boolean after(boolean failed) {
        boolean changed = outage != failed;
        outage = failed;
        return changed;
    }

    /** Waits before the next attempt; false when there is to be none. */
    private synchronized boolean pause(Duration length) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0 && !stopping; left = end - System.nanoTime()) {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }
        return !stopping;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        registry.gauge("catalog.events.waiting", this, Events::waiting);
        registry.more().counter("catalog.events.written", List.of(), written);
        registry.more().counter("catalog.events.lost", List.of(), dropped);
    }

    synchronized int waiting() {
        return queue.size();
    }

    /** Writes what waits, once more and no longer than a moment. */
    @Override
    public void destroy() throws InterruptedException {
        Thread running;
        synchronized (this) {
            stopping = true;
            running = writer;
            notifyAll();
        }
        if (running != null) {
            running.join(LAST_WAIT);
        }
        List<ObjectNode> left = new ArrayList<>();
        synchronized (this) {
            queue.forEach(waiting -> left.add(waiting.event()));
        }
        if (!left.isEmpty()) {
            log.error("The log of events took nothing until the end: {} are lost: {}", left.size(), left);
        }
    }
}
