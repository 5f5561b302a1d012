package io.rask.catalog.event;

import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Creation;
import io.rask.catalog.record.Records.Unreadable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The log: segments with consecutive numbers, each a record that is made once and never changed. A server makes segment n+1 only when
 * segment n is there, whoever made it, so there is one order for all, and who has read up to a place has missed nothing before it.
 */
@Component
public final class EventLog {
    /** The most events of one segment. */
    static final int MOST = 500;

    private static final String FOLDER = "_events/log";
    /** A segment that is there, so that a server that starts need not look for the end from the beginning. */
    private static final RecordKey MARK = RecordKey.of("_events/state", "mark");

    private static final String SEGMENT = "segment";
    private static final String BATCH = "batch";
    private static final String EVENTS = "events";
    private static final int MARK_EVERY = 256;
    private static final int SEGMENTS_AT_ONCE = 100;
    /** For how long a server trusts where it saw the end. */
    private static final Duration TRUSTED = Duration.ofMinutes(1);
    /**
     * What is younger than this is never forgotten. It is more than {@link #TRUSTED}, by as much as clocks of servers may differ: so
     * the number behind an end that a server trusts is free only if it never was taken.
     */
    private static final Duration YOUNG = Duration.ofMinutes(5);

    /** The most segments that are forgotten at once: each is a request, and webhooks wait meanwhile. */
    static final int FORGOTTEN_AT_ONCE = 200;

    private final Records records;
    private final Clock clock;
    private long last;
    /** When {@link #last} was the end for certain. */
    private Instant seen = Instant.MIN;
    /** The batch that was tried last, whether the store said that it took it or not. */
    private String tried = "";

    EventLog(Records records, Clock clock) {
        this.records = records;
        this.clock = clock;
    }

    /**
     * Some events in the order of the log.
     *
     * @param cursor where to read on
     * @param reset whether events after the place asked for are gone, so that these begin later
     */
    public record Page(List<Entry> entries, String cursor, boolean reset) {
        public List<JsonNode> events() {
            return entries.stream().map(Entry::event).toList();
        }
    }

    /**
     * An event in the log.
     *
     * @param at the cursor at which it is read
     * @param next the cursor behind it
     */
    public record Entry(String at, String next, JsonNode event) {}

    /**
     * Puts events at the end. Where the store does not say whether it did, a repeat with the same batch does not put them there twice.
     *
     * @throws io.rask.catalog.problem.CatalogException code 17 when the store does not take them
     */
    synchronized void append(String batch, List<ObjectNode> events) {
        ObjectNode content = JsonNodeFactory.instance.objectNode().put(BATCH, batch);
        content.putArray(EVENTS).addAll(events);
        boolean mine = false;
        while (!mine) {
            mine = !isTrusted() && isFoundAtNewEnd(batch) || isNext(batch, content);
        }
    }

    private boolean isTrusted() {
        Instant now = clock.instant();
        return !seen.isAfter(now) && now.isBefore(seen.plus(TRUSTED));
    }

    /** Finds the end anew; true where the batch is before it, put there by an attempt of which the store did not say so. */
    private boolean isFoundAtNewEnd(String batch) {
        long before = last;
        Instant now = clock.instant();
        long end = lastOf(Math.max(marked(), before));
        boolean found = tried.equals(batch) && isBetween(before, end, batch);
        last = end;
        seen = now;
        return found;
    }

    private boolean isBetween(long after, long end, String batch) {
        return LongStream.rangeClosed(after + 1, end)
                .mapToObj(number -> records.readFresh(key(number)))
                .flatMap(Optional::stream)
                .anyMatch(segment -> isOf(batch, segment));
    }

    /** Makes the next segment of a batch; false where the next one is another's. */
    private boolean isNext(String batch, ObjectNode content) {
        tried = batch;
        Instant now = clock.instant();
        Creation creation = records.create(key(last + 1), content);
        last++;
        if (creation instanceof Creation.Created) {
            seen = now;
        }
        if (last % MARK_EVERY == 0) {
            mark(last);
        }
        return isOf(batch, creation.record());
    }

    private static boolean isOf(String batch, CatalogRecord segment) {
        return segment.content().path(BATCH).asString().equals(batch);
    }

    /** The last segment, found by steps that double from one before it and halves of the last step. 0 is before the first. */
    private long lastOf(long there) {
        long low = there;
        long step = 1;
        while (isThere(low + step)) {
            low += step;
            step *= 2;
        }
        while (step > 1) {
            step /= 2;
            if (isThere(low + step)) {
                low += step;
            }
        }
        return low;
    }

    private boolean isThere(long segment) {
        return records.readFresh(key(segment)).isPresent();
    }

    private long marked() {
        return records.readFresh(MARK)
                .map(record -> record.content().path(SEGMENT).asLong(0))
                .orElse(0L);
    }

    /** Never lowers the mark: what is before it may be forgotten, and the end is not found from there. */
    private void mark(long segment) {
        Creation first =
                records.create(MARK, JsonNodeFactory.instance.objectNode().put(SEGMENT, segment));
        if (first instanceof Creation.Existing) {
            records.mutate(
                    MARK,
                    content -> content.put(
                            SEGMENT, Math.max(segment, content.path(SEGMENT).asLong(0))));
        }
    }

    /**
     * Reads on from a cursor; from the oldest event that is kept where there is none.
     *
     * @param limit the most events to return
     * @throws io.rask.catalog.problem.CatalogException code 13 for a cursor that is none
     */
    public Page read(@Nullable String since, int limit) {
        EventCursor at = EventCursor.parse(since);
        List<Entry> events = new ArrayList<>();
        boolean reset = false;
        boolean more = true;
        while (more && events.size() < limit) {
            List<CatalogRecord> segments = segments(at);
            for (CatalogRecord segment : segments) {
                long number = Long.parseLong(segment.key().name());
                if (number > at.segment()) {
                    reset |= !at.equals(EventCursor.START);
                    at = new EventCursor(number, 0);
                }
                at = take(segment.content().path(EVENTS), at, limit, events);
                if (events.size() >= limit) {
                    break;
                }
            }
            more = !segments.isEmpty();
        }
        return new Page(List.copyOf(events), at.toString(), reset);
    }

    private static EventCursor take(JsonNode segment, EventCursor from, int limit, List<Entry> into) {
        EventCursor at = from;
        for (int index = from.index(); index < segment.size() && into.size() < limit; index++) {
            EventCursor next = new EventCursor(from.segment(), index + 1);
            into.add(new Entry(at.toString(), next.toString(), segment.get(index)));
            at = next;
        }
        return at.index() < segment.size() ? at : new EventCursor(from.segment() + 1, 0);
    }

    private List<CatalogRecord> segments(EventCursor from) {
        String after = from.segment() == 0 ? null : key(from.segment() - 1).value();
        return records.list(FOLDER, after, SEGMENTS_AT_ONCE, Unreadable.FAIL).records();
    }

    /** Where what happens from now on is read. */
    public String end() {
        return new EventCursor(lastOf(marked()) + 1, 0).toString();
    }

    /**
     * Forgets what is older than a moment, and the oldest of what is more than so many segments, except what is from just now. The
     * last one stays, so that the numbers go on.
     *
     * @return whether there is more to forget; one call forgets only so much
     */
    public boolean forget(Instant before, long most) {
        long end = lastOf(marked());
        mark(end);
        Instant young = clock.instant().minus(YOUNG);
        int forgotten = 0;
        EventCursor at = EventCursor.START;
        List<CatalogRecord> segments = segments(at);
        while (!segments.isEmpty()) {
            for (CatalogRecord segment : segments) {
                long number = Long.parseLong(segment.key().name());
                boolean old = segment.createdAt().isBefore(before) || number <= end - most;
                if (!old || number >= end || segment.createdAt().isAfter(young)) {
                    return false;
                }
                if (forgotten++ == FORGOTTEN_AT_ONCE) {
                    return true;
                }
                records.discard(segment.key());
                at = new EventCursor(number + 1, 0);
            }
            segments = segments(at);
        }
        return false;
    }

    private static RecordKey key(long segment) {
        return RecordKey.of(FOLDER, "%012d".formatted(segment));
    }
}
