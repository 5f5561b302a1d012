package io.rask.bench;

import io.rask.bench.Calls.Acknowledged;
import io.rask.bench.Calls.Outcome;
import io.rask.bench.Calls.Refused;
import io.rask.bench.World.Row;
import io.rask.catalog.testing.RunningServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Tables that all clients write: keys that all upsert, each of which must be there once and with a value that nobody has replaced, and
 * counters that all add to, where nothing may be lost or added twice.
 */
final class SharedTables {
    static final String NAMESPACE = "shared";
    private static final String KEYS = path("keys");
    private static final String COUNTERS = path("counters");
    private static final int KEY_COUNT = 30;
    private static final int COUNTER_COUNT = 3;

    private final Ledger ledger;
    private final AtomicLong stamps = new AtomicLong();
    private final List<KeyHistory> histories =
            IntStream.range(0, KEY_COUNT).mapToObj(i -> new KeyHistory()).toList();
    private final List<Counter> counters =
            IntStream.range(0, COUNTER_COUNT).mapToObj(i -> new Counter()).toList();

    /** Additions that were begun, that were acknowledged, and that were refused. */
    private static final class Counter {
        final AtomicLong begun = new AtomicLong();
        final AtomicLong acknowledged = new AtomicLong();
        final AtomicLong refused = new AtomicLong();
    }

    SharedTables(Ledger ledger) {
        this.ledger = ledger;
    }

    static String path(String table) {
        return "/v1/table/" + RunningServer.id(NAMESPACE, table);
    }

    void create(Calls calls) {
        NavigableMap<Long, Row> zeros = new TreeMap<>();
        for (long i = 0; i < COUNTER_COUNT; i++) {
            zeros.put(i, new Row(0, "counter"));
        }
        Calls.required(COUNTERS, calls.arrow("create table, Create", COUNTERS + "/create", SoakRows.stream(zeros)));
        Calls.required(KEYS, calls.arrow("create table, Create", KEYS + "/create", SoakRows.stream(new TreeMap<>())));
    }

    void upsert(Calls calls, Random random) {
        NavigableMap<Long, Row> rows = new TreeMap<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            rows.put((long) random.nextInt(KEY_COUNT), new Row(stamps.incrementAndGet(), "upserted"));
        }
        rows.forEach((key, row) -> histories.get(key.intValue()).begin(row.value(), System.nanoTime()));
        String path = KEYS + "/merge_insert?on=id&when_matched_update_all=true&when_not_matched_insert_all=true";
        Outcome outcome = calls.arrow("merge_insert, shared keys", path, SoakRows.stream(rows));
        long now = System.nanoTime();
        if (isContended(path, outcome)) {
            rows.forEach((key, row) -> histories.get(key.intValue()).refused(row.value()));
        } else if (outcome instanceof Acknowledged) {
            rows.forEach((key, row) -> histories.get(key.intValue()).acknowledged(row.value(), now));
        }
    }

    void add(Calls calls, Random random) {
        int number = random.nextInt(COUNTER_COUNT);
        Counter counter = counters.get(number);
        counter.begun.incrementAndGet();
        String path = COUNTERS + "/update";
        Outcome outcome = calls.post(
                "update, shared counters",
                path,
                "{\"predicate\":\"id = " + number + "\",\"updates\":[[\"value\",\"value + 1\"]]}");
        if (isContended(path, outcome)) {
            counter.refused.incrementAndGet();
        } else if (outcome instanceof Acknowledged) {
            counter.acknowledged.incrementAndGet();
        }
    }

    private boolean isContended(String path, Outcome outcome) {
        if (outcome instanceof Refused refused) {
            if (refused.code() != 14 && refused.code() != 21) {
                ledger.failure(path + " was refused: " + refused);
            }
            return true;
        }
        return false;
    }

    void checkKeys(Calls calls) {
        List<String> wrong = new ArrayList<>();
        long began = System.nanoTime();
        NavigableMap<Long, Row> rows = read(calls, KEYS, wrong);
        for (int key = 0; key < KEY_COUNT; key++) {
            Row row = rows.get((long) key);
            KeyHistory history = histories.get(key);
            if (row == null ? history.isThere(began) : !history.allows(row.value(), began)) {
                wrong.add("the shared key " + key + " is " + row);
            }
        }
        wrong.forEach(ledger::failure);
    }

    void checkCounters(Calls calls) {
        List<String> wrong = new ArrayList<>();
        List<Long> least =
                counters.stream().map(counter -> counter.acknowledged.get()).toList();
        // Additions under way may be in what is read, so what was refused is taken before and what was begun after.
        List<Long> refused =
                counters.stream().map(counter -> counter.refused.get()).toList();
        NavigableMap<Long, Row> rows = read(calls, COUNTERS, wrong);
        for (int i = 0; i < COUNTER_COUNT; i++) {
            Row row = rows.get((long) i);
            long most = counters.get(i).begun.get() - refused.get(i);
            if (row == null || row.value() < least.get(i) || row.value() > most) {
                wrong.add("the shared counter " + i + " is " + row + ", and should be from " + least.get(i) + " to "
                        + most);
            }
        }
        wrong.forEach(ledger::failure);
    }

    private static NavigableMap<Long, Row> read(Calls calls, String path, List<String> wrong) {
        Outcome outcome = calls.ask("query, shared", path + "/query", SoakRows.query(null));
        if (outcome instanceof Acknowledged answer) {
            return SoakRows.read(answer.body(), wrong);
        }
        wrong.add(path + " cannot be read: " + outcome);
        return Collections.emptyNavigableMap();
    }
}
