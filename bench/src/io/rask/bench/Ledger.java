package io.rask.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** What happened in a soak: how many calls ended how, and everything that must not have happened. */
final class Ledger {
    private static final int MOST_PRINTED = 50;

    private final Map<String, Map<Ending, AtomicLong>> calls = new ConcurrentSkipListMap<>();
    private final Map<String, AtomicLong> unavailable = new ConcurrentSkipListMap<>();
    private final Map<String, AtomicLong> notes = new ConcurrentSkipListMap<>();
    private final List<String> failures = new ArrayList<>();

    /** How a call ended. */
    enum Ending {
        /** A success. */
        ACKNOWLEDGED,
        /** A coded 4xx. */
        REFUSED,
        /** No answer, or one that says that the outcome is not known. */
        UNKNOWN
    }

    void count(String kind, Ending ending) {
        calls.computeIfAbsent(kind, key -> new ConcurrentSkipListMap<>())
                .computeIfAbsent(ending, key -> new AtomicLong())
                .incrementAndGet();
    }

    /** An answer of the server that it cannot serve now. */
    void unavailable(String text) {
        unavailable
                .computeIfAbsent(text.replaceAll("[0-9a-f-]{16,}|[0-9]+", "#"), key -> new AtomicLong())
                .incrementAndGet();
    }

    /** Something to tell in the report that is no failure. */
    void note(String text) {
        note(text, 1);
    }

    void note(String text, long times) {
        notes.computeIfAbsent(text, key -> new AtomicLong()).addAndGet(times);
    }

    /** Something that must not be: a read that differs from the model, or an answer that nothing explains. */
    synchronized void failure(String text) {
        failures.add(text);
        if (failures.size() <= MOST_PRINTED) {
            System.out.println("FAILURE: " + text);
        }
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    long calls(String kind, Ending ending) {
        AtomicLong count = calls.getOrDefault(kind, Map.of()).get(ending);
        return count == null ? 0 : count.get();
    }

    long calls(Ending ending) {
        return kinds().stream().mapToLong(kind -> calls(kind, ending)).sum();
    }

    Collection<String> kinds() {
        return calls.keySet();
    }

    Map<String, Long> notes() {
        return plain(notes);
    }

    /** Answers with 503 and 504 by their text, numbers and ids taken out. */
    Map<String, Long> unavailable() {
        return plain(unavailable);
    }

    private static Map<String, Long> plain(Map<String, AtomicLong> counts) {
        Map<String, Long> plain = new TreeMap<>();
        counts.forEach((key, count) -> plain.put(key, count.get()));
        return plain;
    }
}
