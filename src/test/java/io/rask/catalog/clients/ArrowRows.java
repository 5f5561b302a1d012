package io.rask.catalog.clients;

import io.rask.catalog.clients.Dataset.Column;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.jspecify.annotations.Nullable;

/** Rows to an Arrow stream, which clients send, and back from an Arrow file, which the server answers. */
final class ArrowRows {
    private static final int BATCH = 1000;

    private ArrowRows() {}

    /** An Arrow stream of several batches. */
    static byte[] stream(BufferAllocator allocator, List<Column> columns, List<List<@Nullable Object>> rows)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Schema schema = new Schema(columns.stream().map(ArrowRows::field).toList());
        try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, null, Channels.newChannel(bytes))) {
            writer.start();
            for (int from = 0; from < rows.size(); from += BATCH) {
                fill(root, rows.subList(from, Math.min(rows.size(), from + BATCH)));
                writer.writeBatch();
            }
            writer.end();
        }
        return bytes.toByteArray();
    }

    /** The rows of an Arrow file, each value in the order of the file's columns. */
    static List<List<@Nullable Object>> file(BufferAllocator allocator, byte[] file) throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (ArrowFileReader reader = new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(file), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            while (reader.loadNextBatch()) {
                for (int i = 0; i < root.getRowCount(); i++) {
                    List<@Nullable Object> row = new ArrayList<>();
                    for (FieldVector vector : root.getFieldVectors()) {
                        Object value = vector.getObject(i);
                        row.add(vector instanceof VarCharVector && value != null ? value.toString() : value);
                    }
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static Field field(Column column) {
        ArrowType type = switch (column.type()) {
            case INTEGER -> new ArrowType.Int(64, true);
            case REAL -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case TEXT -> ArrowType.Utf8.INSTANCE;
        };
        return new Field(column.name(), FieldType.nullable(type), null);
    }

    private static void fill(VectorSchemaRoot root, List<List<@Nullable Object>> rows) {
        root.clear();
        for (int column = 0; column < root.getFieldVectors().size(); column++) {
            FieldVector vector = root.getVector(column);
            vector.allocateNew();
            for (int i = 0; i < rows.size(); i++) {
                set(vector, i, rows.get(i).get(column));
            }
        }
        root.setRowCount(rows.size());
    }

    private static void set(FieldVector vector, int row, @Nullable Object value) {
        switch (value) {
            case null -> vector.setNull(row);
            case Long number -> ((BigIntVector) vector).setSafe(row, number);
            case Double number -> ((Float8Vector) vector).setSafe(row, number);
            case String text -> ((VarCharVector) vector).setSafe(row, text.getBytes(StandardCharsets.UTF_8));
            default -> throw new IllegalArgumentException(value.getClass().getName());
        }
    }
}
