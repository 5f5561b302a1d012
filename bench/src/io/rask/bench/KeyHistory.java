package io.rask.bench;

import java.util.ArrayList;
import java.util.List;

/** What was written to one key by many clients, and which values a read may see: none that was certainly replaced before it began. */
final class KeyHistory {
    private static final int MOST_WRITES = 500;

    private final List<Write> writes = new ArrayList<>();

    /** @param end {@link Long#MAX_VALUE} while it is under way, or when nobody knows whether it happened */
    private record Write(long value, long begin, long end, boolean refused) {}

    synchronized void begin(long value, long now) {
        if (writes.size() > MOST_WRITES) {
            writes.subList(0, MOST_WRITES / 2).removeIf(write -> write.end < Long.MAX_VALUE);
        }
        writes.add(new Write(value, now, Long.MAX_VALUE, false));
    }

    synchronized void acknowledged(long value, long now) {
        writes.replaceAll(write -> write.value == value ? new Write(value, write.begin, now, false) : write);
    }

    synchronized void refused(long value) {
        writes.replaceAll(write -> write.value == value ? new Write(value, write.begin, write.end, true) : write);
    }

    /** Whether the key must be there for a read that began then. */
    synchronized boolean isThere(long readBegan) {
        return writes.stream().anyMatch(write -> !write.refused && write.end < readBegan);
    }

    /** Whether a read may have seen a value. */
    synchronized boolean allows(long value, long readBegan) {
        for (Write write : writes) {
            if (write.value == value) {
                return !write.refused
                        && writes.stream()
                                .noneMatch(later -> !later.refused && later.begin > write.end && later.end < readBegan);
            }
        }
        return false;
    }
}
