package io.rask.catalog.record;

import java.time.Instant;

/**
 * The right to be the only one who does something, for a while.
 *
 * @param owner who holds it, for people who look
 * @param token the fencing token: greater than that of every lease on this key before, so whoever is told to act by two holders
 *     can refuse the lower token
 * @param expiresAt until when it is held, by the holder's own clock
 */
public record Lease(RecordKey key, String owner, long token, Instant expiresAt) {
    /** Whether the holder may still act at this moment of its own clock. */
    public boolean isHeldAt(Instant now) {
        return now.isBefore(expiresAt);
    }
}
