package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.IOException;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The batches of another reader under the schema of the table they go to. The types are the same; the engine only forgets which
 * columns may be null, and calls a computed column never null where the table does not.
 */
final class RelabelledReader extends ArrowReader {
    private final ArrowReader source;
    private final Schema schema;
    private long rows;
    private @Nullable CatalogException failure;

    RelabelledReader(ArrowReader source, Schema schema, BufferAllocator allocator) {
        super(allocator);
        this.source = source;
        this.schema = schema;
    }

    /** How many rows have passed. */
    long rows() {
        return rows;
    }

    /** Why the batches ended early: native code passes only the text of it on. */
    Optional<CatalogException> failure() {
        return Optional.ofNullable(failure);
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
                failure = CatalogException.of(
                        ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR,
                        "The column '" + field.getName() + "' does not take nulls, and the expression gives some.");
                throw failure;
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
    protected void closeReadSource() {
        // Whoever opened the source closes it: its stream must not be closed twice.
    }

    @Override
    protected Schema readSchema() {
        return schema;
    }
}
