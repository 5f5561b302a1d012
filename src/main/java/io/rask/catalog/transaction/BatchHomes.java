package io.rask.catalog.transaction;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.lance.RefChanges;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Where the tables of a batch live, and the right to change them all. */
@Component
final class BatchHomes {
    private final Locator locator;
    private final RefChanges changes;

    BatchHomes(Locator locator, RefChanges changes) {
        this.locator = locator;
        this.changes = changes;
    }

    /** The storage of the warehouse at a root. */
    StorageProfile home(String root) {
        return locator.atRoot(root)
                .orElseThrow(() -> CatalogException.of(
                        ErrorCode.TABLE_NOT_FOUND, "The warehouse of a table that was being changed is gone."));
    }

    TableLocation location(Batch.Place place) {
        StorageProfile home = home(place.root());
        return new TableLocation(home.root().resolve(place.location()), home.serverOptions());
    }

    /** A place and whether it gets its first version. */
    private record Wanted(TableLocation location, boolean first) {}

    /**
     * Runs changes of tables while no other server changes them. The order in which the rights are taken
     * is the same for all, so that no two wait for each other.
     *
     * @throws CatalogException code 14 when others are at one of the tables for too long; and whatever the change throws
     */
    <T> T alone(List<Batch.Place> places, Function<RefChanges.Turn, T> change) {
        List<Wanted> wanted = places.stream()
                .map(place -> new Wanted(location(place), place.first()))
                .sorted(Comparator.comparing(each -> each.location().uri()))
                .toList();
        return next(wanted, () -> {}, change);
    }

    private <T> T next(List<Wanted> rest, RefChanges.Turn held, Function<RefChanges.Turn, T> change) {
        if (rest.isEmpty()) {
            return change.apply(held);
        }
        Wanted first = rest.getFirst();
        List<Wanted> others = rest.subList(1, rest.size());
        return changes.resuming(
                first.location(),
                turn -> first.first()
                        ? changes.first(first.location(), making -> next(others, all(held, turn, making), change))
                        : next(others, all(held, turn), change));
    }

    private static RefChanges.Turn all(RefChanges.Turn... turns) {
        return () -> {
            for (RefChanges.Turn turn : turns) {
                turn.require();
            }
        };
    }
}
