package io.rask.catalog.lance;

import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Rows in the order of the result. */
interface RowSource extends AutoCloseable {
    /**
     * Some rows of a batch, valid until the next batch is asked for.
     *
     * @param from the first row that belongs to the result
     * @param length how many do, from there on
     * @param query the number of the query vector they answer
     */
    record Batch(VectorSchemaRoot rows, DictionaryProvider dictionaries, int from, int length, int query) {}

    Schema schema() throws Exception;

    /** The next rows, or null after the last. */
    @Nullable
    Batch next() throws Exception;

    @Override
    void close() throws Exception;
}
