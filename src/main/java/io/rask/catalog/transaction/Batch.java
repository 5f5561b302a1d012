package io.rask.catalog.transaction;

import io.rask.catalog.table.RowStep;
import io.rask.catalog.version.DeletionStep;
import io.rask.catalog.version.VersionStep;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes of several tables that were begun and not brought to their end.
 *
 * @param id of the transaction
 * @param job what brings them to their end when nobody else does
 * @param properties what clients have said of the transaction
 * @param maker the subject that is to own the tables that come; null where nobody is told of it
 */
record Batch(
        String id,
        State state,
        String job,
        Plan plan,
        Map<String, String> properties,
        @Nullable String maker) {

    /** What is decided. It is decided once. */
    enum State {
        /** Nothing: every change can still be taken back. */
        BEGUN,
        /** They happen. */
        COMMITTED,
        /** They do not happen. */
        WITHDRAWN,
        /** They do not happen, because a client has said so. */
        CANCELED
    }

    /** What is to be done. */
    record Plan(List<RowStep> rows, List<VersionStep> versions, List<DeletionStep> deletions) {
        Plan {
            rows = List.copyOf(rows);
            versions = List.copyOf(versions);
            deletions = List.copyOf(deletions);
        }

        /** The stored ids of all tables. */
        Set<String> tables() {
            return Stream.of(
                            rows.stream().map(RowStep::table),
                            versions.stream().map(VersionStep::table),
                            deletions.stream().map(DeletionStep::table))
                    .flatMap(ids -> ids)
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** The rows of each warehouse, by its root. */
        Map<String, List<RowStep>> rowsByRoot() {
            return rows.stream().collect(Collectors.groupingBy(RowStep::root));
        }

        /** Whether all is one commit of one warehouse. */
        boolean isOneCommit() {
            return versions.isEmpty() && deletions.isEmpty() && rowsByRoot().size() == 1;
        }

        /** What nobody else may change meanwhile. */
        List<Place> places() {
            return Place.distinct(Stream.of(
                            rows.stream().map(step -> Place.ofRows(step.root())),
                            versions.stream().map(step -> new Place(step.root(), step.location(), step.makesFirst())),
                            deletions.stream().map(step -> new Place(step.root(), step.location(), false)))
                    .flatMap(each -> each));
        }
    }

    /**
     * A table whose versions change, or the rows of a warehouse.
     *
     * @param root of the warehouse, as a URI
     * @param location of the table below the root
     * @param first whether it gets its first version
     */
    record Place(String root, String location, boolean first) {
        private static final String ROWS = "__manifest";

        /** The rows of a warehouse, for batches that change those of several. */
        static Place ofRows(String root) {
            return new Place(root, ROWS, false);
        }

        /** Each place once. */
        static List<Place> distinct(Stream<Place> places) {
            return List.copyOf(places.collect(Collectors.toMap(
                            place -> place.root() + "/" + place.location(),
                            place -> place,
                            (one, other) -> one.first() ? one : other))
                    .values());
        }

        /** Whether whoever has the right to this place has the right to another. */
        boolean covers(Place other) {
            return root.equals(other.root) && location.equals(other.location) && (first || !other.first);
        }
    }
}
