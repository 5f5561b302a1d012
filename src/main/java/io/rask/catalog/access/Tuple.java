package io.rask.catalog.access;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One fact of the permission engine, in the engine's spelling (see {@link ObjectNames}).
 *
 * @param user who has the relation: {@code user:…}, {@code team:…#member}, or an object that is above
 * @param expiry when a grant ends by itself; null for one that does not
 */
public record Tuple(
        String user,
        String relation,
        String object,
        @Nullable Expiry expiry) {

    /** A grant that ends by itself. */
    public record Expiry(Instant granted, Duration duration) {}

    public Tuple(String user, String relation, String object) {
        this(user, relation, object, null);
    }

    /** The same for another object. */
    Tuple on(String other) {
        return new Tuple(user, relation, other, expiry);
    }
}
