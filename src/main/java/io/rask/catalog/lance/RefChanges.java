package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.Leases;
import java.time.Clock;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * One change at a time of what a table's versions are: its tags, its branches, and which versions there are at all. The library
 * checks and writes in two steps, so two creators of one tag both win, and a version could go while a tag is put on it (measured:
 * {@code docs/decisions/0011}).
 */
@Component
public final class RefChanges {
    private final LocationLeases leases;
    private final ObjectProvider<UnfinishedChanges> unfinished;

    RefChanges(Leases leases, Clock clock, ObjectProvider<UnfinishedChanges> unfinished) {
        this.leases = new LocationLeases(leases, clock);
        this.unfinished = unfinished;
    }

    /** The right to change, while the change runs. */
    public interface Turn {
        /**
         * To be called before each step that cannot be taken back.
         *
         * @throws CatalogException code 14 when the right was lost because the change took too long
         */
        void require();
    }

    /**
     * Runs a change while no other server runs one on the same table. What was begun on it before is brought to its end first.
     *
     * @throws CatalogException code 14 when others are at it for too long; and whatever the change throws
     */
    public <T> T alone(TableLocation location, Function<Turn, T> change) {
        while (true) {
            try (LocationLeases.Held held = acquire(location)) {
                if (!isUnfinished(location)) {
                    return change.apply(held::require);
                }
            }
            unfinished.ifAvailable(open -> open.settle(location));
        }
    }

    /** As {@link #alone}, for what was begun on the table and is to be brought to its end. */
    public <T> T resuming(TableLocation location, Function<Turn, T> change) {
        try (LocationLeases.Held held = acquire(location)) {
            return change.apply(held::require);
        }
    }

    private boolean isUnfinished(TableLocation location) {
        UnfinishedChanges open = unfinished.getIfAvailable();
        return open != null && open.concern(location);
    }

    private LocationLeases.Held acquire(TableLocation location) {
        return leases.acquire(
                "refs",
                location,
                "Others change the tags, branches or versions of the table at the same time; try again.");
    }

    /**
     * Runs a change that makes the first version of a table, while no other server makes one.
     *
     * @throws CatalogException code 14 when others are at it for too long; and whatever the change throws
     */
    public <T> T first(TableLocation location, Function<Turn, T> change) {
        try (LocationLeases.Held held = leases.forFirstWrite(location)) {
            return change.apply(held::require);
        }
    }
}
