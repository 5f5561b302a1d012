package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.util.AutoCloseables;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.TransferPair;
import org.jspecify.annotations.Nullable;

/** The rows of a scan with the columns that a query computes from them, batch by batch. */
final class ComputedRows implements RowSource {
    private final RowSource rows;
    private final List<String> inputs;
    private final RowExpressions expressions;
    private final BufferAllocator allocator;
    private @Nullable Schema computed;
    private @Nullable VectorSchemaRoot current;

    private ComputedRows(RowSource rows, OutputColumns columns, BufferAllocator allocator) {
        this.rows = rows;
        this.inputs = columns.inputs();
        this.expressions = new RowExpressions(columns.computed(), allocator);
        this.allocator = allocator;
    }

    /** The rows themselves where nothing is computed. */
    static RowSource of(RowSource rows, OutputColumns columns, BufferAllocator allocator) {
        return columns.computed().isEmpty() ? rows : new ComputedRows(rows, columns, allocator);
    }

    @Override
    public Schema schema() throws Exception {
        List<Field> fields = new ArrayList<>(rows.schema().getFields());
        fields.addAll(computed().getFields());
        return new Schema(fields);
    }

    /** Without any row the types are those that a row of nulls gives. */
    private Schema computed() throws Exception {
        if (computed == null) {
            List<FieldVector> nulls = new ArrayList<>();
            for (Field field : rows.schema().getFields()) {
                if (inputs.contains(field.getName())) {
                    FieldVector vector =
                            plain(RowSource.values(field, rows.dictionaries())).createVector(allocator);
                    vector.allocateNew();
                    vector.setValueCount(1);
                    nulls.add(vector);
                }
            }
            try (VectorSchemaRoot one = root(nulls, 1);
                    VectorSchemaRoot result = expressions.of(one)) {
                computed = result.getSchema();
            }
        }
        return computed;
    }

    @Override
    public DictionaryProvider dictionaries() throws Exception {
        return rows.dictionaries();
    }

    @Override
    public @Nullable Batch next() throws Exception {
        release();
        Batch batch = rows.next();
        while (batch != null && batch.length() == 0) {
            batch = rows.next();
        }
        if (batch == null) {
            return null;
        }
        try (VectorSchemaRoot given = root(given(batch), batch.length())) {
            current = joined(batch, expressions.of(given));
        }
        return new Batch(current, batch.dictionaries(), 0, batch.length(), batch.query());
    }

    /** The rows as the scan gave them, and beside them what was computed. */
    private VectorSchemaRoot joined(Batch batch, VectorSchemaRoot result) throws Exception {
        computed = result.getSchema();
        List<FieldVector> all = new ArrayList<>();
        try {
            for (FieldVector vector : batch.rows().getFieldVectors()) {
                all.add(part(vector, batch));
            }
        } catch (RuntimeException | Error e) {
            AutoCloseables.close(e, all);
            result.close();
            throw e;
        }
        all.addAll(result.getFieldVectors());
        return root(all, batch.length());
    }

    private List<FieldVector> given(Batch batch) {
        List<FieldVector> given = new ArrayList<>();
        for (FieldVector vector : batch.rows().getFieldVectors()) {
            Field field = vector.getField();
            if (!inputs.contains(field.getName())) {
                continue;
            }
            Field values = plain(RowSource.values(field, batch.dictionaries()));
            FieldVector part = part(vector, batch);
            if (field.getDictionary() == null) {
                given.add(bare(part, values));
                continue;
            }
            try (part) {
                FieldVector decoded = (FieldVector) DictionaryEncoder.decode(
                        part, batch.dictionaries().lookup(field.getDictionary().getId()), allocator);
                given.add(bare(decoded, values));
            }
        }
        return given;
    }

    private FieldVector part(FieldVector vector, Batch batch) {
        TransferPair pair = vector.getTransferPair(allocator);
        pair.splitAndTransfer(batch.from(), batch.length());
        return (FieldVector) pair.getTo();
    }

    /** The same values under a field that says nothing of how the table stores them. */
    private FieldVector bare(FieldVector vector, Field field) {
        FieldVector bare = field.createVector(allocator);
        vector.makeTransferPair(bare).transfer();
        vector.close();
        return bare;
    }

    private static Field plain(Field field) {
        return new Field(field.getName(), FieldType.nullable(field.getType()), field.getChildren());
    }

    private static VectorSchemaRoot root(List<FieldVector> vectors, int rows) {
        VectorSchemaRoot root = new VectorSchemaRoot(vectors);
        root.setRowCount(rows);
        return root;
    }

    private void release() {
        if (current != null) {
            current.close();
            current = null;
        }
    }

    @Override
    public void close() throws Exception {
        release();
        rows.close();
    }
}
