package io.rask.catalog.lance;

import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** The results of several searches, one after the other; each search begins when the one before it is read. */
final class QuerySequence implements RowSource {
    private final int count;
    private final Search search;
    private RowSource current;
    private int number;

    /** Begins one search. */
    @FunctionalInterface
    interface Search {
        RowSource begin(int number) throws Exception;
    }

    /** @param count of searches, at least one */
    QuerySequence(int count, Search search) throws Exception {
        this.count = count;
        this.search = search;
        this.current = search.begin(0);
    }

    @Override
    public Schema schema() throws Exception {
        return current.schema();
    }

    @Override
    public DictionaryProvider dictionaries() throws Exception {
        return current.dictionaries();
    }

    @Override
    public @Nullable Batch next() throws Exception {
        while (true) {
            Batch batch = current.next();
            if (batch != null) {
                return new Batch(batch.rows(), batch.dictionaries(), batch.from(), batch.length(), number);
            }
            if (number + 1 == count) {
                return null;
            }
            current.close();
            number++;
            current = search.begin(number);
        }
    }

    @Override
    public void close() throws Exception {
        current.close();
    }
}
