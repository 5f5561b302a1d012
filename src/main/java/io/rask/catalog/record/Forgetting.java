package io.rask.catalog.record;

import java.util.List;
import java.util.function.BooleanSupplier;

/** Walks over all that is to be forgotten, one after the other, in rounds that are short. */
public final class Forgetting {
    private final List<BooleanSupplier> walks;
    private int at;

    /** @param walks each does one round, and says whether it has not come to its end */
    public Forgetting(List<BooleanSupplier> walks) {
        this.walks = List.copyOf(walks);
    }

    /**
     * Does one round of the walk that is under way. Where it fails, the next round is that of the next walk, so that none waits for one
     * that always fails.
     *
     * @return whether there is more; after the end the next round begins anew
     */
    public synchronized boolean round() {
        boolean hasMore = false;
        try {
            hasMore = walks.get(at).getAsBoolean();
        } finally {
            if (!hasMore) {
                at = (at + 1) % walks.size();
            }
        }
        return hasMore || at > 0;
    }
}
