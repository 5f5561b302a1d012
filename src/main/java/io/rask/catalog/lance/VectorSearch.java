package io.rask.catalog.lance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the vectors nearest to one or several others.
 *
 * @param column the vector column; null for the only one the table has
 * @param vectors the query vectors; with more than one, or when {@code numbered}, the result has a column {@code query_index}
 * @param numbered whether to number the results of a single vector too
 * @param metric null for the metric of the column's index, or {@link DistanceMetric#L2} without one
 * @param lowerBound the smallest distance wanted, inclusive
 * @param upperBound the distance from which on results are not wanted, exclusive
 * @param minProbes how many partitions of an index to read at least; null or 0 for the library's choice
 * @param maxProbes how many to read at most; null for {@code minProbes}, 0 for all
 * @param ef the effort in a graph index; null or 0 for the library's choice
 * @param refineFactor how many times more candidates to compare exactly; null or 0 for none
 * @param exact whether to compare with every row instead of using an index
 */
public record VectorSearch(
        @Nullable String column,
        List<float[]> vectors,
        boolean numbered,
        @Nullable DistanceMetric metric,
        @Nullable Float lowerBound,
        @Nullable Float upperBound,
        @Nullable Long minProbes,
        @Nullable Long maxProbes,
        @Nullable Long ef,
        @Nullable Long refineFactor,
        boolean exact) {
    public VectorSearch {
        vectors = List.copyOf(vectors);
    }

    /** The nearest to one vector, everything else left to the library. */
    public static VectorSearch nearest(float... vector) {
        return new VectorSearch(null, List.of(vector), false, null, null, null, null, null, null, null, false);
    }
}
