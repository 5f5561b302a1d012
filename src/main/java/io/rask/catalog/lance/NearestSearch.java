package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.List;
import org.apache.arrow.vector.Float4Vector;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.index.DistanceType;
import org.lance.ipc.Query;
import org.lance.ipc.ScanOptions;

/** A search for near vectors of floats, done by the library. Every number is bounded: a huge one ends the process there. */
final class NearestSearch {
    private static final int MOST_CANDIDATES = 100_000_000;
    private static final int MOST_PROBES = 1 << 16;
    private static final int MOST_EFFORT = 1 << 20;
    private static final int GROWTH = 8;

    private final Dataset dataset;
    private final Scans scans;
    private final TableQuery query;
    private final VectorSearch search;
    private final VectorColumn column;
    private final List<String> columns;
    private final long rows;

    /** @param columns what the result needs of a scan */
    NearestSearch(
            Dataset dataset,
            Scans scans,
            TableQuery query,
            VectorSearch search,
            VectorColumn column,
            List<String> columns) {
        this.dataset = dataset;
        this.scans = scans;
        this.query = query;
        this.search = search;
        this.column = column;
        this.columns = columns;
        this.rows = dataset.countRows();
    }

    RowSource begin(float[] vector) throws Exception {
        long wanted = Math.min(rows, saturated(query.offset(), query.limit()));
        if (wanted == 0) {
            // The library takes a limit of 0 for none.
            RowSource one = scans.begin(scan(vector, 1, columns).build());
            return new WindowSource(one, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 0, 0);
        }
        if (!isBounded()) {
            return scans.begin(unbounded(vector, wanted));
        }
        float lowest = search.lowerBound() == null ? Float.NEGATIVE_INFINITY : search.lowerBound();
        float end = search.upperBound() == null ? Float.POSITIVE_INFINITY : search.upperBound();
        RowSource all = scans.begin(bounded(vector, wanted));
        return new WindowSource(all, lowest, end, query.offset(), query.limit());
    }

    /** The scan that a search for a vector begins with. */
    ScanOptions plan(float[] vector) throws Exception {
        long wanted = Math.min(rows, saturated(query.offset(), query.limit()));
        if (wanted == 0) {
            return scan(vector, 1, columns).build();
        }
        return isBounded() ? bounded(vector, wanted) : unbounded(vector, wanted);
    }

    private boolean isBounded() {
        return search.lowerBound() != null || search.upperBound() != null;
    }

    private ScanOptions unbounded(float[] vector, long wanted) {
        return scans.ordered(scan(vector, candidates(wanted), columns))
                .limit(Math.min(query.limit(), rows))
                .offset(Math.min(query.offset(), rows))
                .build();
    }

    private ScanOptions bounded(float[] vector, long wanted) throws Exception {
        if (!query.orderBy().isEmpty()) {
            throw CatalogException.invalid("Distance bounds and order_by cannot be combined.");
        }
        float lowest = search.lowerBound() == null ? Float.NEGATIVE_INFINITY : search.lowerBound();
        int candidates = search.lowerBound() == null ? candidates(wanted) : candidatesBeyond(vector, lowest, wanted);
        return scan(vector, candidates, columns).build();
    }

    /** How many of the nearest must be fetched so that enough lie beyond the lower bound. */
    private int candidatesBeyond(float[] vector, float lowest, long wanted) throws Exception {
        int most = candidates(rows);
        int candidates = candidates(wanted);
        while (candidates < most && beyond(vector, candidates, lowest) < wanted) {
            candidates = (int) Math.min(most, (long) candidates * GROWTH);
        }
        return candidates;
    }

    private long beyond(float[] vector, int candidates, float lowest) throws Exception {
        ScanOptions scan =
                scan(vector, candidates, List.of(OutputColumns.DISTANCE)).build();
        long found = 0;
        try (RowSource distances = scans.begin(scan)) {
            for (RowSource.Batch batch = distances.next(); batch != null; batch = distances.next()) {
                Float4Vector values = (Float4Vector) batch.rows().getVector(OutputColumns.DISTANCE);
                for (int i = 0; i < batch.length(); i++) {
                    found += values.get(i) >= lowest ? 1 : 0;
                }
            }
        }
        return found;
    }

    private ScanOptions.Builder scan(float[] vector, int candidates, List<String> provided) {
        ScanOptions.Builder scan = scans.filtered(provided).nearest(nearest(vector, candidates));
        return scans.onlyIndexed(scan, List.of(column.path().scan()), TableIndices::isVector);
    }

    private Query nearest(float[] vector, int candidates) {
        Query.Builder nearest = new Query.Builder()
                .setColumn(column.path().scan())
                .setKey(vector)
                .setK(candidates)
                .setUseIndex(!search.exact());
        if (search.metric() != null) {
            nearest.setDistanceType(
                    switch (search.metric()) {
                        case L2 -> DistanceType.L2;
                        case COSINE -> DistanceType.Cosine;
                        case DOT -> DistanceType.Dot;
                        case HAMMING -> DistanceType.Hamming;
                    });
        }
        setProbes(nearest);
        int effort = bounded(search.ef(), MOST_EFFORT, "ef");
        if (effort > 0) {
            nearest.setEf(effort);
        }
        long enough = Math.max(1, Math.ceilDiv(rows, candidates));
        int factor = bounded(search.refineFactor(), enough, "refine_factor");
        if (factor > 0) {
            nearest.setRefineFactor(factor);
        }
        return nearest.build();
    }

    private void setProbes(Query.Builder nearest) {
        int least = bounded(search.minProbes(), MOST_PROBES, "nprobes");
        int most = search.maxProbes() == null ? least : bounded(search.maxProbes(), MOST_PROBES, "maximum_nprobes");
        if (most > 0 && most < least) {
            throw CatalogException.invalid("maximum_nprobes must not be smaller than nprobes.");
        }
        if (least > 0) {
            nearest.setMinimumNprobes(least);
        }
        if (most > 0) {
            nearest.setMaximumNprobes(most);
        }
    }

    /** The value within its bound, beyond which it makes no difference; 0 when it is not given. */
    private static int bounded(@Nullable Long value, long most, String name) {
        if (value != null && value < 0) {
            throw CatalogException.invalid(name + " must not be negative.");
        }
        return value == null ? 0 : (int) Math.min(value, Math.min(most, MOST_CANDIDATES));
    }

    private static int candidates(long wanted) {
        if (wanted > MOST_CANDIDATES) {
            throw CatalogException.invalid(
                    "A vector search can give at most " + MOST_CANDIDATES + " results; use a smaller k.");
        }
        return (int) wanted;
    }

    static long saturated(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
