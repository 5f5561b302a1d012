package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The batches of another reader under the schema of the table they go to. The types are the same; the engine only forgets which
 * columns may be null, and calls a computed column never null where the table does not.
 */
final class RelabelledReader extends ArrowReader {
    private final ArrowReader source;
    private final Schema schema;
    private long rows;

    RelabelledReader(ArrowReader source, Schema schema, BufferAllocator allocator) {
        super(allocator);
        this.source = source;
        this.schema = schema;
    }

    /** How many rows have passed. */
    long rows() {
        return rows;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        if (!source.loadNextBatch()) {
            return false;
        }
        VectorSchemaRoot batch = source.getVectorSchemaRoot();
        for (Field field : schema.getFields()) {
            FieldVector vector = batch.getVector(field.getName());
            if (!field.isNullable() && vector.getNullCount() > 0) {
                throw CatalogException.of(
                        ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR,
                        "The column '" + field.getName() + "' does not take nulls, and the expression gives some.");
            }
        }
        try (ArrowRecordBatch same = new VectorUnloader(batch).getRecordBatch()) {
            loadRecordBatch(same);
        }
        rows += batch.getRowCount();
        return true;
    }

    @Override
    public long bytesRead() {
        return source.bytesRead();
    }

    @Override
    protected void closeReadSource() throws IOException {
        source.close();
    }

    @Override
    protected Schema readSchema() {
        return schema;
    }
}
