package io.rask.catalog.lance.arrow;

import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of a column of texts, bytes or lists.
 *
 * @param count of values; there is one offset more
 * @param width bytes of one offset, 4 or 8
 */
record Offsets(@Nullable ArrowBuf buffer, long count, int width) {
    /** Those of a column without values. */
    static final Offsets NONE = new Offsets(null, 0, Integer.BYTES);

    long at(long index) {
        if (buffer == null) {
            return 0;
        }
        return width == Integer.BYTES ? buffer.getInt(index * width) : buffer.getLong(index * width);
    }

    long first() {
        return at(0);
    }

    long last() {
        return at(count);
    }

    /** Whether no offset is negative or below the one before it. */
    boolean ordered() {
        long before = 0;
        for (long i = 0; i <= count; i++) {
            long offset = at(i);
            if (offset < before) {
                return false;
            }
            before = offset;
        }
        return true;
    }
}
