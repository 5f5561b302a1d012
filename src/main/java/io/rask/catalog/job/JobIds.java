package io.rask.catalog.job;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;

/** Ids of jobs: UUIDs of version 7, which sort by the moment they were made. */
final class JobIds {
    private static final Pattern ID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BITS_OF_HIGH = 12;
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private JobIds() {}

    static String at(Instant moment) {
        long high =
                moment.toEpochMilli() << Short.SIZE | VERSION | RANDOM.nextLong() >>> (Long.SIZE - RANDOM_BITS_OF_HIGH);
        long low = VARIANT | RANDOM.nextLong() >>> 2;
        return new UUID(high, low).toString();
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** When the id was made. */
    static Instant momentOf(String id) {
        return Instant.ofEpochMilli(UUID.fromString(id).getMostSignificantBits() >>> Short.SIZE);
    }
}
