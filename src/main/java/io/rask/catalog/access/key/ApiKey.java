package io.rask.catalog.access.key;

import java.time.Instant;

/**
 * A key as its owner sees it.
 *
 * @param name what the owner calls it
 * @param owner the subject it stands for
 */
public record ApiKey(String id, String name, String owner, Instant createdAt, Instant expiresAt) {
    boolean isOver(Instant now) {
        return !now.isBefore(expiresAt);
    }
}
