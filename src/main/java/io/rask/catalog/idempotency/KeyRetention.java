package io.rask.catalog.idempotency;

import io.rask.catalog.record.Records;
import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Forgets requests that nobody is going to repeat any more. */
@Component
public final class KeyRetention {
    /** How long an answer is repeated: what clients that try again over a weekend need. */
    static final Duration KEPT = Duration.ofDays(3);

    private final Records records;
    private final Clock clock;

    KeyRetention(Records records, Clock clock) {
        this.records = records;
        this.clock = clock;
    }

    /** @return how many were forgotten */
    public int forget() {
        return records.discardOlder(KeyedRequest.FOLDER, clock.instant().minus(KEPT), false);
    }
}
