package io.rask.catalog.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Small Arrow streams for tests that care about what happens to a table, not about what is in it. */
public final class ArrowStreams {
    private ArrowStreams() {}

    /** One column of 64-bit integers, one row for each value. */
    public static byte[] longs(String column, long... values) {
        Schema schema = new Schema(List.of(Field.nullable(column, new ArrowType.Int(64, true))));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, bytes)) {
            BigIntVector vector = (BigIntVector) batch.getVector(column);
            for (int row = 0; row < values.length; row++) {
                vector.setSafe(row, values[row]);
            }
            batch.setRowCount(values.length);
            writer.start();
            writer.writeBatch();
            writer.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
