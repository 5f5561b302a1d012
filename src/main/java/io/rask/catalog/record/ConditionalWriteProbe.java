package io.rask.catalog.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordStore.StoredBytes;
import io.rask.catalog.record.RecordStore.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a store's conditional writes are atomic, by racing writers on it: several stores in use look at the condition
 * and then write, and lose records only under load. Writes some small objects below {@code _probe/} and removes them.
 */
public final class ConditionalWriteProbe {
    private static final Logger LOG = LoggerFactory.getLogger(ConditionalWriteProbe.class);
    private static final int WRITERS = 8;
    private static final int CREATE_ROUNDS = 10;
    private static final int REPLACE_ROUNDS = 20;

    private final RecordStore store;
    private final List<RecordKey> written = new ArrayList<>();

    /** Does nothing yet. A probe is run once. */
    public ConditionalWriteProbe(RecordStore store) {
        this.store = store;
    }

    /** Runs the races; takes some thirty round trips to the store. */
    public ProbeResult run() {
        ExecutorService writers = Executors.newFixedThreadPool(
                WRITERS, Thread.ofPlatform().daemon().name("record-probe-", 0).factory());
        try {
            return judge(writers);
        } catch (CatalogException e) {
            return new ProbeResult.Unreachable(e.text(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ProbeResult.Unreachable("The probe was interrupted.", e);
        } finally {
            writers.shutdownNow();
            written.forEach(this::discard);
        }
    }

    private ProbeResult judge(ExecutorService writers) throws InterruptedException {
        store.read(RecordKey.probe()); // a store that is down says so here, and is spared the races
        for (int round = 0; round < CREATE_ROUNDS; round++) {
            RecordKey key = newKey();
            List<WriteOutcome> outcomes =
                    race(writers, writer -> store.createIfAbsent(key, content("create", 0, writer)));
            Optional<String> fault = fault(key, "create", 0, outcomes);
            if (fault.isPresent()) {
                return new ProbeResult.NotAtomic("If-None-Match is not safe on this store: " + fault.get());
            }
        }
        return judgeReplace(writers, written.getFirst());
    }

    /** A counter: each round all writers replace the same version, and the next round builds on the one that won. */
    private ProbeResult judgeReplace(ExecutorService writers, RecordKey key) throws InterruptedException {
        String stale = "\"0\"";
        for (int round = 1; round <= REPLACE_ROUNDS; round++) {
            int count = round;
            String etag = stored(key).etag();
            List<WriteOutcome> outcomes =
                    race(writers, writer -> store.replaceIfMatch(key, content("replace", count, writer), etag));
            Optional<String> fault = fault(key, "replace", count, outcomes);
            if (fault.isPresent()) {
                return new ProbeResult.NotAtomic("If-Match is not safe on this store: " + fault.get());
            }
            stale = etag;
        }
        WriteOutcome late = confirmed(store.replaceIfMatch(key, content("late", 0, 0), stale));
        return late instanceof WriteOutcome.Lost
                ? new ProbeResult.Atomic()
                : new ProbeResult.NotAtomic("If-Match is not safe on this store: an old version could be replaced.");
    }

    /** What is wrong with the outcome of a race; empty if exactly one writer won and its content is what stays. */
    private Optional<String> fault(RecordKey key, String race, int round, List<WriteOutcome> outcomes) {
        List<Integer> winners = IntStream.range(0, outcomes.size())
                .filter(writer -> confirmed(outcomes.get(writer)) instanceof WriteOutcome.Written)
                .boxed()
                .toList();
        if (winners.size() != 1) {
            return Optional.of(winners.size() + " of " + WRITERS + " writers were told that they alone had written.");
        }
        String expected = new String(content(race, round, winners.getFirst()), UTF_8);
        return expected.equals(new String(stored(key).bytes(), UTF_8))
                ? Optional.empty()
                : Optional.of("what the one winner had written was not there afterwards.");
    }

    private StoredBytes stored(RecordKey key) {
        return store.read(key)
                .orElseThrow(
                        () -> CatalogException.unavailable("The store has lost what was just written to it.", null));
    }

    private static WriteOutcome confirmed(WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Unknown unknown) {
            throw CatalogException.unavailable("The store does not confirm writes right now.", unknown.cause());
        }
        return outcome;
    }

    private static List<WriteOutcome> race(ExecutorService writers, IntFunction<WriteOutcome> write)
            throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        List<Callable<WriteOutcome>> calls = IntStream.range(0, WRITERS)
                .<Callable<WriteOutcome>>mapToObj(writer -> () -> {
                    start.await(1, TimeUnit.MINUTES);
                    return write.apply(writer);
                })
                .toList();
        List<WriteOutcome> outcomes = new ArrayList<>();
        for (Future<WriteOutcome> call : writers.invokeAll(calls)) {
            try {
                outcomes.add(call.get());
            } catch (ExecutionException e) {
                throw e.getCause() instanceof CatalogException cause
                        ? cause
                        : CatalogException.unavailable("The store cannot be probed.", e);
            }
        }
        return outcomes;
    }

    private RecordKey newKey() {
        RecordKey key = RecordKey.probe();
        written.add(key);
        return key;
    }

    private void discard(RecordKey key) {
        try {
            store.discard(key);
        } catch (CatalogException e) {
            LOG.debug("{} is left behind", key, e);
        }
    }

    private static byte[] content(String race, int round, int writer) {
        return "{\"race\":\"%s\",\"round\":%d,\"writer\":%d}"
                .formatted(race, round, writer)
                .getBytes(UTF_8);
    }
}
