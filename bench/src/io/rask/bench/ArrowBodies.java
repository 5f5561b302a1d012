package io.rask.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.hc.core5.http.ContentType;

/** Arrow streams of points: {@code id int64, text utf8, vector fixed_size_list<float32>}. */
final class ArrowBodies {
    static final ContentType STREAM = ContentType.create("application/vnd.apache.arrow.stream");

    private ArrowBodies() {}

    /** A stream that is written piece by piece. */
    record Body(List<byte[]> pieces) {
        void writeTo(OutputStream out) throws IOException {
            for (byte[] piece : pieces) {
                out.write(piece);
            }
        }

        InputStream open() {
            List<InputStream> streams = new ArrayList<>();
            pieces.forEach(piece -> streams.add(new java.io.ByteArrayInputStream(piece)));
            return new SequenceInputStream(Collections.enumeration(streams));
        }

        long length() {
            return pieces.stream().mapToLong(piece -> piece.length).sum();
        }
    }

    static Schema schema(int dimensions) {
        return new Schema(List.of(
                Field.nullable("id", new ArrowType.Int(64, true)),
                Field.nullable("text", ArrowType.Utf8.INSTANCE),
                new Field(
                        "vector",
                        FieldType.nullable(new ArrowType.FixedSizeList(dimensions)),
                        List.of(Field.nullable("item", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE))))));
    }

    /** A whole stream of one batch; ids count from {@code first}. */
    static byte[] points(BufferAllocator allocator, int first, int rows, int dimensions) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] piece : repeated(allocator, first, rows, dimensions, 1).pieces()) {
            bytes.write(piece);
        }
        return bytes.toByteArray();
    }

    /** A stream of the same batch several times, which costs no memory and hardly any time to make. */
    static Body repeated(BufferAllocator allocator, int first, int rows, int dimensions, int times) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<byte[]> pieces = new ArrayList<>();
        try (VectorSchemaRoot batch = VectorSchemaRoot.create(schema(dimensions), allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, Channels.newChannel(bytes))) {
            fill(batch, first, rows, dimensions);
            writer.start();
            pieces.add(taken(bytes));
            writer.writeBatch();
            byte[] encoded = taken(bytes);
            pieces.addAll(Collections.nCopies(times, encoded));
            writer.end();
            pieces.add(taken(bytes));
        }
        return new Body(List.copyOf(pieces));
    }

    private static byte[] taken(ByteArrayOutputStream bytes) {
        byte[] taken = bytes.toByteArray();
        bytes.reset();
        return taken;
    }

    private static void fill(VectorSchemaRoot batch, int first, int rows, int dimensions) {
        Random random = new Random(first);
        BigIntVector ids = (BigIntVector) batch.getVector("id");
        VarCharVector texts = (VarCharVector) batch.getVector("text");
        FixedSizeListVector vectors = (FixedSizeListVector) batch.getVector("vector");
        Float4Vector items = (Float4Vector) vectors.getDataVector();
        ids.allocateNew(rows);
        texts.allocateNew((long) rows * 24, rows);
        vectors.setInitialCapacity(rows);
        vectors.allocateNew();
        items.allocateNew(rows * dimensions);
        for (int row = 0; row < rows; row++) {
            ids.set(row, first + row);
            texts.setSafe(row, ("point number " + (first + row)).getBytes(StandardCharsets.UTF_8));
            vectors.setNotNull(row);
            for (int i = 0; i < dimensions; i++) {
                items.set(row * dimensions + i, (float) random.nextGaussian());
            }
        }
        batch.setRowCount(rows);
    }
}
