package io.rask.catalog.lance;

import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
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

    /** What the columns of the schema are encoded by. The types of the values are known before the first batch, which brings them. */
    DictionaryProvider dictionaries() throws Exception;

    /** A column as its values are, which may be in a dictionary. */
    static Field values(Field column, DictionaryProvider dictionaries) {
        if (column.getDictionary() == null) {
            return column;
        }
        Field values =
                dictionaries.lookup(column.getDictionary().getId()).getVector().getField();
        FieldType type = new FieldType(column.isNullable(), values.getType(), null, column.getMetadata());
        return new Field(column.getName(), type, values.getChildren());
    }

    /** The next rows, or null after the last. */
    @Nullable
    Batch next() throws Exception;

    @Override
    void close() throws Exception;
}
