package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Rows up to a number and a size. An answer that outgrows them while it is written is broken off, so that nobody takes what came so
 * far for the whole.
 */
final class BoundedRows implements RowSource {
    private final RowSource rows;
    private final ResultLimits limits;
    private long count;
    private long bytes;

    BoundedRows(RowSource rows, ResultLimits limits) {
        this.rows = rows;
        this.limits = limits;
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
        Batch batch = rows.next();
        if (batch == null) {
            return null;
        }
        limits.requireRows(count += batch.length());
        bytes += size(batch);
        if (bytes > limits.bytes()) {
            throw CatalogException.invalid("The answer would be larger than " + limits.bytes()
                    + " bytes; ask for fewer rows or columns at a time.");
        }
        return batch;
    }

    private static long size(Batch batch) {
        int all = batch.rows().getRowCount();
        if (all == 0) {
            return 0;
        }
        long whole = 0;
        for (FieldVector vector : batch.rows().getFieldVectors()) {
            whole += vector.getBufferSize();
        }
        return (long) ((double) whole * batch.length() / all);
    }

    @Override
    public void close() throws Exception {
        rows.close();
    }
}
