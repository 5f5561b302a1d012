package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.lance.Dataset;
import org.lance.ipc.ScanOptions;

/**
 * A search for near vectors of bytes, by comparing with every row. The library takes query vectors of floats only, does not find
 * them comparable with bytes, and then answers with a scan of the whole table.
 */
final class ByteSearch {
    private static final int MOST_CANDIDATES = 10_000_000;
    private static final String ROW_ID = OutputColumns.ROW_ID;

    private final Dataset dataset;
    private final Scans scans;
    private final TableQuery query;
    private final VectorSearch search;
    private final VectorColumn column;
    private final List<String> columns;
    private final BufferAllocator allocator;

    ByteSearch(
            Dataset dataset,
            Scans scans,
            TableQuery query,
            VectorSearch search,
            VectorColumn column,
            List<String> columns,
            BufferAllocator allocator) {
        this.dataset = dataset;
        this.scans = scans;
        this.query = query;
        this.search = search;
        this.column = column;
        this.columns = columns;
        this.allocator = allocator;
    }

    RowSource begin(float[] vector) throws Exception {
        requireUnordered();
        long wanted = Math.min(dataset.countRows(), NearestSearch.saturated(query.offset(), query.limit()));
        if (wanted > MOST_CANDIDATES) {
            throw CatalogException.invalid(
                    "A search in vectors of bytes can give at most " + MOST_CANDIDATES + " results; use a smaller k.");
        }
        NearestRows nearest = new NearestRows((int) Math.max(1, wanted));
        compare(vector, nearest);
        nearest.sort();
        boolean[] kept = kept(nearest);
        return FoundRows.of(
                dataset, columns, nearest, kept, query.offset(), wanted == 0 ? 0 : query.limit(), allocator);
    }

    private void requireUnordered() {
        if (!query.orderBy().isEmpty()) {
            throw CatalogException.invalid("A search in vectors of bytes cannot be combined with order_by.");
        }
    }

    /** The scan that every vector is compared in. */
    ScanOptions plan() {
        requireUnordered();
        List<String> needed = List.of(column.path().scan(), ROW_ID);
        return (query.prefilter() ? scans.filtered(needed) : scans.unfiltered(needed)).build();
    }

    DistanceMetric metric() {
        return search.metric() != null
                ? search.metric()
                : column.elements() == VectorColumn.Elements.UNSIGNED_BYTE ? DistanceMetric.HAMMING : DistanceMetric.L2;
    }

    private void compare(float[] vector, NearestRows nearest) throws Exception {
        boolean signed = column.elements() == VectorColumn.Elements.SIGNED_BYTE;
        ByteDistance distance = new ByteDistance(metric(), signed, vector);
        float lowest = search.lowerBound() == null ? Float.NEGATIVE_INFINITY : search.lowerBound();
        float end = search.upperBound() == null ? Float.POSITIVE_INFINITY : search.upperBound();
        String path = column.path().scan();
        try (RowSource rows = scans.begin(plan())) {
            for (RowSource.Batch batch = rows.next(); batch != null; batch = rows.next()) {
                VectorSchemaRoot root = batch.rows();
                FixedSizeListVector vectors = (FixedSizeListVector) root.getVector(path);
                UInt8Vector ids = (UInt8Vector) root.getVector(ROW_ID);
                FieldVector elements = vectors.getDataVector();
                ArrowBuf data = elements.getDataBuffer();
                for (int i = 0; i < batch.length(); i++) {
                    float d = vectors.isNull(i) ? Float.NaN : distance.to(data, (long) i * column.size());
                    if (d >= lowest && d < end) {
                        nearest.offer(ids.get(i), d);
                    }
                }
            }
        }
    }

    /** Which of the found rows the filter leaves, where it comes after the search. */
    private boolean[] kept(NearestRows nearest) throws Exception {
        boolean[] kept = new boolean[nearest.size()];
        if (query.prefilter() || !scans.hasFilter()) {
            java.util.Arrays.fill(kept, true);
            return kept;
        }
        Set<Long> found = new HashSet<>();
        for (int i = 0; i < nearest.size(); i++) {
            found.add(nearest.id(i));
        }
        Set<Long> matching = new HashSet<>();
        try (RowSource rows = scans.begin(scans.filtered(List.of(ROW_ID)).build())) {
            for (RowSource.Batch batch = rows.next(); batch != null; batch = rows.next()) {
                UInt8Vector ids = (UInt8Vector) batch.rows().getVector(ROW_ID);
                for (int i = 0; i < batch.length(); i++) {
                    if (found.contains(ids.get(i))) {
                        matching.add(ids.get(i));
                    }
                }
            }
        }
        for (int i = 0; i < kept.length; i++) {
            kept[i] = matching.contains(nearest.id(i));
        }
        return kept;
    }
}
