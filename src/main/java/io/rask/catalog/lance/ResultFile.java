package io.rask.catalog.lance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes a result as an Arrow file, batch by batch. Dictionaries are written out: a file can hold only one for a column, and
 * batches bring their own.
 */
final class ResultFile {
    private static final String QUERY_INDEX = "query_index";

    private final OutputColumns columns;
    private final boolean numbered;
    private final BufferAllocator allocator;

    /** @param numbered whether to begin with the number of the query vector */
    ResultFile(OutputColumns columns, boolean numbered, BufferAllocator allocator) {
        this.columns = columns;
        this.numbered = numbered;
        this.allocator = allocator;
    }

    /** Writes all rows. The first batch is fetched before the first byte is written, so that a failing query is still a problem. */
    void write(RowSource rows, ClientChannel out) throws Exception {
        RowSource.@Nullable Batch batch = rows.next();
        Schema schema = schema(rows.schema(), rows.dictionaries());
        try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                ArrowFileWriter writer =
                        new ArrowFileWriter(root, new DictionaryProvider.MapDictionaryProvider(), out)) {
            try {
                writer.start();
                while (batch != null) {
                    write(batch, root, writer);
                    batch = rows.next();
                }
                writer.end();
            } catch (Exception e) {
                // Closing the writer would end the file as if it were whole.
                out.breakOff();
                throw e;
            }
        }
    }

    private void write(RowSource.Batch batch, VectorSchemaRoot root, ArrowFileWriter writer) throws IOException {
        if (batch.length() > 0) {
            fill(batch, root);
            writer.writeBatch();
            root.clear();
        }
    }

    private Schema schema(Schema scanned, DictionaryProvider dictionaries) {
        List<Field> fields = new ArrayList<>();
        List<Field> given = columns.fields(scanned);
        for (int i = 0; i < given.size(); i++) {
            Field shown = RowSource.values(given.get(i), dictionaries);
            fields.add(new Field(columns.columns().get(i).name(), shown.getFieldType(), shown.getChildren()));
        }
        if (numbered) {
            fields.add(new Field(QUERY_INDEX, FieldType.notNullable(new ArrowType.Int(32, true)), List.of()));
        }
        return new Schema(fields);
    }

    private static @Nullable Dictionary dictionary(Field field, RowSource.Batch batch) {
        return field.getDictionary() == null
                ? null
                : batch.dictionaries().lookup(field.getDictionary().getId());
    }

    private void fill(RowSource.Batch batch, VectorSchemaRoot root) {
        for (int i = 0; i < columns.columns().size(); i++) {
            FieldVector from = batch.rows().getVector(columns.columns().get(i).path());
            copy(from, dictionary(from.getField(), batch), batch, root.getVector(i));
        }
        if (numbered) {
            IntVector numbers = (IntVector) root.getVector(QUERY_INDEX);
            numbers.allocateNew(batch.length());
            for (int i = 0; i < batch.length(); i++) {
                numbers.set(i, batch.query());
            }
            numbers.setValueCount(batch.length());
        }
        root.setRowCount(batch.length());
    }

    private static void copy(FieldVector from, @Nullable Dictionary dictionary, RowSource.Batch batch, FieldVector to) {
        if (dictionary == null) {
            from.makeTransferPair(to).splitAndTransfer(batch.from(), batch.length());
            return;
        }
        try (FieldVector values = (FieldVector) DictionaryEncoder.decode(from, dictionary, to.getAllocator())) {
            values.makeTransferPair(to).splitAndTransfer(batch.from(), batch.length());
        }
    }
}
