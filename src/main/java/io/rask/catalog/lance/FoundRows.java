package io.rask.catalog.lance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;

/** Rows known by their ids and distances, fetched in portions in the order given. */
final class FoundRows implements RowSource {
    private static final int PORTION = 512;

    private final Dataset dataset;
    private final List<String> columns;
    private final List<Long> ids;
    private final List<Float> distances;
    private final BufferAllocator allocator;
    private int next;
    private @Nullable ArrowReader reader;
    private @Nullable Float4Vector measured;

    private FoundRows(
            Dataset dataset, List<String> columns, List<Long> ids, List<Float> distances, BufferAllocator allocator) {
        this.dataset = dataset;
        this.columns = columns;
        this.ids = ids;
        this.distances = distances;
        this.allocator = allocator;
    }

    /**
     * @param nearest in the order of the result
     * @param kept which of them belong to the result
     */
    static FoundRows of(
            Dataset dataset,
            List<String> columns,
            NearestRows nearest,
            boolean[] kept,
            long offset,
            long limit,
            BufferAllocator allocator) {
        List<Long> ids = new ArrayList<>();
        List<Float> distances = new ArrayList<>();
        long skip = offset;
        for (int i = 0; i < nearest.size() && ids.size() < limit; i++) {
            if (kept[i] && skip-- <= 0) {
                ids.add(nearest.id(i));
                distances.add(nearest.distance(i));
            }
        }
        return new FoundRows(dataset, columns, ids, distances, allocator);
    }

    @Override
    public Schema schema() throws Exception {
        return known().rows().getSchema();
    }

    @Override
    public DictionaryProvider dictionaries() throws Exception {
        return known().dictionaries();
    }

    private Batch known() throws Exception {
        if (reader == null) {
            fetch(List.of(), List.of());
        }
        return batch();
    }

    @Override
    public @Nullable Batch next() throws Exception {
        if (next == ids.size()) {
            return null;
        }
        int to = Math.min(ids.size(), next + PORTION);
        fetch(ids.subList(next, to), distances.subList(next, to));
        next = to;
        return batch();
    }

    private void fetch(List<Long> wanted, List<Float> apart) throws Exception {
        close();
        List<String> stored = columns.stream()
                .filter(column -> !column.equals(OutputColumns.DISTANCE))
                .toList();
        List<String> asked = stored.isEmpty() ? List.of(OutputColumns.ROW_ID) : stored;
        reader = dataset.takeRows(wanted, asked);
        boolean loaded = reader.loadNextBatch();
        int rows = loaded ? reader.getVectorSchemaRoot().getRowCount() : 0;
        if (rows != wanted.size()) {
            throw new IllegalStateException("fetched " + rows + " of " + wanted.size() + " rows");
        }
        Float4Vector vector = new Float4Vector(OutputColumns.DISTANCE, allocator);
        measured = vector;
        vector.allocateNew(apart.size());
        for (int i = 0; i < apart.size(); i++) {
            vector.set(i, apart.get(i));
        }
        vector.setValueCount(apart.size());
    }

    private Batch batch() throws IOException {
        if (reader == null || measured == null) {
            throw new IllegalStateException("nothing is fetched");
        }
        VectorSchemaRoot stored = reader.getVectorSchemaRoot();
        List<FieldVector> vectors = new ArrayList<>(stored.getFieldVectors());
        vectors.add(measured);
        int rows = measured.getValueCount();
        VectorSchemaRoot all = new VectorSchemaRoot(vectors);
        all.setRowCount(rows);
        return new Batch(all, reader, 0, rows, 0);
    }

    @Override
    public void close() throws Exception {
        if (measured != null) {
            measured.close();
            measured = null;
        }
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
