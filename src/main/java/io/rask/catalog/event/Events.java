package io.rask.catalog.event;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rask.catalog.platform.Background;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.EventProperties;
import io.rask.catalog.problem.CatalogException;
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
    private @Nullable Batch underWay;
    private @Nullable Thread writer;
    private boolean stopping;
    private boolean outage;

    Events(EventLog events, Clock clock, CatalogProperties properties) {
        this.events = events;
        this.clock = clock;
        this.settings = properties.events();
    }

    private record Waiting(ObjectNode event, CompletableFuture<@Nullable Void> kept) {}

    /** What is written in one segment; it keeps its id until the log has it, because the log knows it by that. */
    private record Batch(String id, List<Waiting> waiting) {}

    /**
     * Tells what happened, in its order; never fails.
     *
     * @param cause what made it happen
     */
    public void happened(Collection<Happening> happenings, Cause cause) {
        if (!settings.enabled() || happenings.isEmpty()) {
            return;
        }
        CompletableFuture<@Nullable Void> kept = offer(happenings.stream()
                .map(happening -> CloudEvent.of(happening, clock.instant(), cause))
                .toList());
        try {
            kept.get(settings.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            log.debug("Events of the request {} are written later.", cause.request());
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
            writer = Background.start("events", this::write);
        }
        notifyAll();
        // In an outage nobody waits: the first that waited has shown it.
        return outage ? CompletableFuture.completedFuture(null) : kept;
    }

    private void write() throws InterruptedException {
        Batch batch = next();
        while (batch != null && isKept(batch)) {
            batch = next();
        }
    }

    /** What waits, and what is under way first; null at the end. */
    private synchronized @Nullable Batch next() throws InterruptedException {
        while (queue.isEmpty() && !stopping) {
            wait();
        }
        if (underWay == null && !queue.isEmpty()) {
            underWay = new Batch(
                    UUID.randomUUID().toString(),
                    queue.stream().limit(EventLog.MOST).toList());
        }
        return underWay;
    }

    /** Tries until the log has it, or, once the server stops, one last time. */
    private boolean isKept(Batch batch) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        boolean last = false;
        while (!isAppended(batch)) {
            if (last) {
                return false;
            }
            last = !pause(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
        synchronized (this) {
            batch.waiting().forEach(any -> queue.remove());
            underWay = null;
        }
        written.addAndGet(batch.waiting().size());
        batch.waiting().forEach(waiting -> waiting.kept().complete(null));
        return true;
    }

    private boolean isAppended(Batch batch) {
        try {
            events.append(
                    batch.id(), batch.waiting().stream().map(Waiting::event).toList());
            after(false);
            return true;
        } catch (CatalogException e) {
            if (after(true)) {
                log.warn("The log of events takes nothing; what happens now waits.", e);
            }
            return false;
        } catch (RuntimeException | Error e) {
            // Whatever it is: without this thread no event is written any more, and every request waits for one.
            after(true);
            Background.failed("The events are written later.", e);
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

    long lost() {
        return dropped.get();
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
