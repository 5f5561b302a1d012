package io.rask.catalog.lance;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Keys seen so far, each as the first 128 bits of its SHA-256: 16 bytes a key instead of the key itself. Two different keys are
 * never taken for one by chance.
 */
final class KeySet {
    private static final int FIRST = 1 << 10;

    private final MessageDigest digest;
    /** Pairs; an empty place is a pair of zeros. */
    private long[] places = new long[2 * FIRST];

    private int size;

    KeySet() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds a part to the key that is being put together; its length is part of it. */
    void part(byte[] bytes, int length) {
        digest.update((byte) (length >>> 24));
        digest.update((byte) (length >>> 16));
        digest.update((byte) (length >>> 8));
        digest.update((byte) length);
        digest.update(bytes, 0, length);
    }

    /** Forgets the parts put together so far. */
    void discard() {
        digest.reset();
    }

    /** Ends the key; false when it was there already. */
    boolean add() {
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        long high = hash.getLong();
        long low = hash.getLong() | 1;
        if (!put(places, high, low)) {
            return false;
        }
        if (++size * 4L > places.length) {
            grow();
        }
        return true;
    }

    private void grow() {
        long[] wider = new long[Math.multiplyExact(places.length, 2)];
        for (int i = 0; i < places.length; i += 2) {
            if (places[i + 1] != 0) {
                put(wider, places[i], places[i + 1]);
            }
        }
        places = wider;
    }

    private static boolean put(long[] places, long high, long low) {
        int mask = places.length / 2 - 1;
        for (int i = (int) high & mask; ; i = (i + 1) & mask) {
            if (places[2 * i + 1] == 0) {
                places[2 * i] = high;
                places[2 * i + 1] = low;
                return true;
            }
            if (places[2 * i] == high && places[2 * i + 1] == low) {
                return false;
            }
        }
    }
}
