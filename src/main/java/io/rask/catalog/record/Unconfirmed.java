package io.rask.catalog.record;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one {@link CasLoop} that nobody confirmed or denied. Each is looked for in what the store holds afterwards: in
 * the record itself, or among the recent writes of the ones that came on top.
 */
final class Unconfirmed<T> {
    private final List<Write<T>> writes = new ArrayList<>();

    /**
     * One such write.
     *
     * @param base the write it built on; null if it was to create the record
     * @param result the answer if it was done
     */
    private record Write<T>(String writeId, @Nullable String base, T result) {
        /** While its condition holds, the write may yet be done: a request can outlive its caller. */
        boolean mayStillBeDone(@Nullable Version current) {
            return current == null ? base == null : current.writeId().equals(base);
        }

        boolean isTraceable(@Nullable Version current) {
            return current != null && current.reachesBackTo(base);
        }
    }

    void add(String writeId, @Nullable Version base, T result) {
        writes.add(new Write<>(writeId, base == null ? null : base.writeId(), result));
    }

    boolean isEmpty() {
        return writes.isEmpty();
    }

    /**
     * Finds the write that was done, and forgets those that were not and cannot be any more.
     *
     * @throws CatalogException with code 17 if so many others wrote since that a write cannot be traced
     */
    Optional<T> settle(RecordKey key, @Nullable Version current) {
        for (Iterator<Write<T>> open = writes.iterator(); open.hasNext(); ) {
            Write<T> write = open.next();
            if (current != null && current.follows(write.writeId())) {
                return Optional.of(write.result());
            }
            if (!write.mayStillBeDone(current)) {
                if (!write.isTraceable(current)) {
                    throw unknown(key, null);
                }
                open.remove();
            }
        }
        return Optional.empty();
    }

    /** Code 17 for a write of which nobody can say whether it was done. */
    static CatalogException unknown(RecordKey key, @Nullable Throwable cause) {
        return CatalogException.unavailable(
                "The store did not confirm a change; it may have been made. Look before you try again.",
                new IllegalStateException("Unknown outcome of a write of " + key, cause));
    }
}
