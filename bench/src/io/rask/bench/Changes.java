package io.rask.bench;

import io.rask.bench.Calls.Acknowledged;
import io.rask.bench.Calls.Outcome;
import io.rask.bench.Calls.Refused;
import io.rask.bench.Calls.Unknown;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries changes out and keeps the model equal to what they did: an acknowledged change happened, a refused one did not, and after
 * a call without an answer the catalog must be in exactly one of the two states.
 */
final class Changes {
    static final int NONE = -1;
    private static final int CONCURRENT_MODIFICATION = 14;
    private static final int THROTTLING = 21;
    /** What a killed process had sent may still arrive at the store. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private final Ledger ledger;
    private final Reading reading;
    private World world = World.EMPTY;

    Changes(Ledger ledger, Reading reading) {
        this.ledger = ledger;
        this.reading = reading;
    }

    World world() {
        return world;
    }

    /** A better-known model of the same state. */
    void learn(World more) {
        world = more;
    }

    /** A change that must succeed; {@code after} sees the answer. */
    void expectSuccess(String what, Supplier<Outcome> call, World otherwise, Function<Acknowledged, World> after) {
        expect(what, call, NONE, otherwise, after);
    }

    void expectSuccess(String what, Supplier<Outcome> call, World after) {
        expect(what, call, NONE, after, answer -> after);
    }

    /** A change that must be refused with this code. */
    void expectRefusal(String what, Supplier<Outcome> call, int code) {
        World before = world;
        expect(what, call, code, before, answer -> before);
    }

    /** @param ifUnknown the state after the change where no answer tells more */
    private void expect(
            String what, Supplier<Outcome> call, int code, World ifUnknown, Function<Acknowledged, World> after) {
        switch (call.get()) {
            case Acknowledged answer -> {
                if (code != NONE) {
                    ledger.failure(what + " succeeded and should be refused with code " + code);
                }
                world = after.apply(answer);
            }
            case Refused refused -> {
                boolean contended = refused.code() == CONCURRENT_MODIFICATION || refused.code() == THROTTLING;
                if (refused.code() != code && !contended) {
                    ledger.failure(what + " should " + (code == NONE ? "succeed" : "be refused with code " + code)
                            + " and was refused: " + refused);
                }
            }
            case Unknown unknown -> resolve(what + " (" + unknown.why() + ")", ifUnknown);
        }
    }

    private void resolve(String what, World after) {
        LockSupport.parkNanos(SETTLING.toNanos());
        List<String> notAfter = reading.differences(after);
        if (notAfter.isEmpty()) {
            ledger.note(after == world ? "unknown, nothing to change" : "unknown, and had happened");
            world = after;
            return;
        }
        List<String> notBefore = reading.differences(world);
        if (notBefore.isEmpty()) {
            ledger.note("unknown, and had not happened");
            return;
        }
        ledger.failure(
                "after " + what + " the catalog is neither as before: " + notBefore + " nor as after: " + notAfter);
    }
}
