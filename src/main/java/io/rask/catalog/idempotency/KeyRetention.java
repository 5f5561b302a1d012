package io.rask.catalog.idempotency;

import io.rask.catalog.record.OldRecords;
import io.rask.catalog.record.Records;
import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Forgets requests that nobody is going to repeat any more. */
@Component
public final class KeyRetention {
    /** How long an answer is repeated: what clients that try again over a weekend need. */
    static final Duration KEPT = Duration.ofDays(3);

    private final OldRecords old;
    private final Clock clock;

    KeyRetention(Records records, Clock clock) {
        this.old = new OldRecords(records, KeyedRequest.FOLDER, false);
        this.clock = clock;
    }

    /**
     * Forgets some of those that are old.
     *
     * @return whether there may be more
     */
    public boolean forget() {
        return old.forget(clock.instant().minus(KEPT));
    }
}
