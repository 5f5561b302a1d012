package io.rask.catalog.lance;

import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Of rows that come by rising distance, those from a smallest to below a largest distance, and of these a number after some
 * skipped ones. The library cannot do the first, and would count the rows before it.
 */
final class WindowSource implements RowSource {
    private final RowSource rows;
    private final float lowest;
    private final float end;
    private long skip;
    private long left;

    /**
     * @param lowest the smallest distance, inclusive
     * @param end the distance from which on rows are left out
     */
    WindowSource(RowSource rows, float lowest, float end, long offset, long limit) {
        this.rows = rows;
        this.lowest = lowest;
        this.end = end;
        this.skip = offset;
        this.left = limit;
    }

    @Override
    public Schema schema() throws Exception {
        return rows.schema();
    }

    @Override
    public DictionaryProvider dictionaries() throws Exception {
        return rows.dictionaries();
    }

    @Override
    public @Nullable Batch next() throws Exception {
        for (Batch batch = rows.next(); batch != null && left > 0; batch = rows.next()) {
            Batch window = window(batch);
            if (window.length() > 0) {
                return window;
            }
        }
        return null;
    }

    private Batch window(Batch batch) {
        Float4Vector distances = (Float4Vector) batch.rows().getVector(OutputColumns.DISTANCE);
        int to = batch.from() + batch.length();
        int first = batch.from();
        while (first < to && !(distances.get(first) >= lowest)) {
            first++;
        }
        int last = first;
        while (last < to && distances.get(last) < end) {
            last++;
        }
        int skipped = (int) Math.min(skip, last - first);
        int length = (int) Math.min(left, last - first - skipped);
        skip -= skipped;
        left -= length;
        return new Batch(batch.rows(), batch.dictionaries(), first + skipped, length, batch.query());
    }

    @Override
    public void close() throws Exception {
        rows.close();
    }
}
