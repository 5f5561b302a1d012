package io.rask.catalog.record;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.RecordStore.WriteOutcome;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one way a record is written: read it freshly, decide, write under the condition that it still is what was read, and begin
 * again if it is not. A write whose outcome is unknown is looked for afterwards and counts once, see {@link Unconfirmed}.
 */
final class CasLoop {
    private static final int RETRIES = 5;
    private static final long FIRST_PAUSE_MILLIS = 10;

    private final RecordStore store;
    private final RecordFormat format;
    private final RecordCache cache;

    CasLoop(RecordStore store, RecordFormat format, RecordCache cache) {
        this.store = store;
        this.format = format;
        this.cache = cache;
    }

    /** What to do about a record as it is now. */
    sealed interface Step<T> {
        /** Nothing is to be written. */
        record Done<T>(T result) implements Step<T> {}

        /** This content, stamped by {@link RecordFormat}, is to be written; the result is made of it. */
        record Write<T>(ObjectNode stamped, Function<CatalogRecord, T> result) implements Step<T> {}
    }

    /** Decides on what was just read: a record, a tombstone, or null. */
    @FunctionalInterface
    interface Plan<T> {
        Step<T> next(@Nullable Version current);
    }

    /**
     * Runs the plan, with up to five retries.
     *
     * @throws CatalogException with code 14 if others kept winning; with code 17 if the store cannot be read, or if it did not
     *     confirm a write and does not show whether it was done
     */
    <T> T run(RecordKey key, Plan<T> plan) {
        Unconfirmed<T> unconfirmed = new Unconfirmed<>();
        for (int attempt = 0; attempt <= RETRIES; attempt++) {
            pause(attempt);
            @Nullable Version current = load(key, unconfirmed);
            Optional<T> result = unconfirmed.settle(key, current);
            if (result.isEmpty()) {
                result = switch (plan.next(current)) {
                    case Step.Done<T> done -> Optional.of(done.result());
                    case Step.Write<T> write -> write(key, current, write, unconfirmed);
                };
            }
            if (result.isPresent()) {
                return result.get();
            }
        }
        return settleAtLast(key, unconfirmed);
    }

    private <T> Optional<T> write(
            RecordKey key, @Nullable Version current, Step.Write<T> write, Unconfirmed<T> unconfirmed) {
        byte[] bytes = format.bytes(write.stamped());
        WriteOutcome outcome =
                current == null ? store.createIfAbsent(key, bytes) : store.replaceIfMatch(key, bytes, current.etag());
        T result = write.result().apply(new CatalogRecord(key, write.stamped()));
        return switch (outcome) {
            case WriteOutcome.Written written -> {
                cache.keep(new Version(key, write.stamped(), written.etag(), bytes.length));
                yield Optional.of(result);
            }
            case WriteOutcome.Lost lost -> Optional.empty();
            case WriteOutcome.Unknown unknown -> {
                unconfirmed.add(write.stamped().path(RecordFormat.WRITE_ID).asString(), current, result);
                yield Optional.empty();
            }
        };
    }

    private <T> T settleAtLast(RecordKey key, Unconfirmed<T> unconfirmed) {
        if (!unconfirmed.isEmpty()) {
            Optional<T> result = unconfirmed.settle(key, load(key, unconfirmed));
            if (result.isPresent()) {
                return result.get();
            }
        }
        if (!unconfirmed.isEmpty()) {
            throw Unconfirmed.unknown(key, null);
        }
        throw CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION, "Others are changing the same object; try again in a moment.");
    }

    private <T> @Nullable Version load(RecordKey key, Unconfirmed<T> unconfirmed) {
        try {
            return cache.read(key).orElse(null);
        } catch (CatalogException e) {
            throw unconfirmed.isEmpty() ? e : Unconfirmed.unknown(key, e);
        }
    }

    /** Grows with the attempts, and is random so that those who met once do not meet again. */
    private static void pause(int attempt) {
        if (attempt > 0) {
            long limit = TimeUnit.MILLISECONDS.toNanos(FIRST_PAUSE_MILLIS << attempt);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(limit));
        }
    }
}
