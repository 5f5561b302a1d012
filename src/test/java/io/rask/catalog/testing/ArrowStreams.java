package io.rask.catalog.testing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;

/** Small Arrow streams for tests that care about what happens to a table, more than about what is in it. */
public final class ArrowStreams {
    public static final ArrowType INT32 = new ArrowType.Int(32, true);
    public static final ArrowType INT64 = new ArrowType.Int(64, true);
    public static final ArrowType FLOAT = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    public static final ArrowType DOUBLE = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    public static final ArrowType UTF8 = new ArrowType.Utf8();
    public static final ArrowType BOOL = new ArrowType.Bool();

    private ArrowStreams() {}

    /** One column of 64-bit integers, one row for each value. */
    public static byte[] longs(String column, long... values) {
        return of(
                List.of(Field.nullable(column, INT64)),
                Arrays.stream(values).mapToObj(value -> row(value)).toList());
    }

    /** A row; null stands for a null. */
    public static List<@Nullable Object> row(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    public static Field required(String column, ArrowType type) {
        return new Field(column, FieldType.notNullable(type), null);
    }

    /** A column of vectors of 32-bit floats. */
    public static Field vector(String column, int dimensions) {
        return new Field(
                column,
                FieldType.nullable(new ArrowType.FixedSizeList(dimensions)),
                List.of(Field.nullable("item", FLOAT)));
    }

    /** A column of lists. */
    public static Field list(String column, ArrowType element) {
        return new Field(column, FieldType.nullable(new ArrowType.List()), List.of(Field.nullable("item", element)));
    }

    /** A stream of one batch; no row at all makes a stream without batches. */
    public static byte[] of(List<Field> columns, List<? extends List<? extends @Nullable Object>> rows) {
        return of(new Schema(columns), rows);
    }

    /** As {@link #of(List, List)}, with metadata of the schema. */
    public static byte[] of(Schema schema, List<? extends List<? extends @Nullable Object>> rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, bytes)) {
            writer.start();
            if (!rows.isEmpty()) {
                fill(batch, rows);
                writer.writeBatch();
            }
            writer.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The rows of an Arrow file, each value by the name of its column. */
    public static List<Map<String, @Nullable Object>> read(byte[] file) {
        return rows(memory -> new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(file), memory));
    }

    /** The rows of an Arrow stream, in the same form. */
    public static List<Map<String, @Nullable Object>> readStream(byte[] stream) {
        return rows(memory -> new ArrowStreamReader(new ByteArrayInputStream(stream), memory));
    }

    private static List<Map<String, @Nullable Object>> rows(Function<BufferAllocator, ArrowReader> opening) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = opening.apply(allocator)) {
            VectorSchemaRoot batch = reader.getVectorSchemaRoot();
            while (reader.loadNextBatch()) {
                for (int row = 0; row < batch.getRowCount(); row++) {
                    Map<String, @Nullable Object> values = new LinkedHashMap<>();
                    for (FieldVector vector : batch.getFieldVectors()) {
                        Object value = vector.getObject(row);
                        values.put(vector.getName(), value instanceof Text text ? text.toString() : value);
                    }
                    rows.add(values);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    private static void fill(VectorSchemaRoot batch, List<? extends List<? extends @Nullable Object>> rows) {
        for (int column = 0; column < batch.getFieldVectors().size(); column++) {
            FieldVector vector = batch.getVector(column);
            vector.setInitialCapacity(rows.size());
            vector.allocateNew();
            for (int row = 0; row < rows.size(); row++) {
                set(vector, row, rows.get(row).get(column));
            }
            vector.setValueCount(rows.size());
        }
        batch.setRowCount(rows.size());
    }

    private static void set(FieldVector vector, int row, @Nullable Object value) {
        if (value == null) {
            vector.setNull(row);
            return;
        }
        switch (vector) {
            case BaseIntVector numbers -> numbers.setWithPossibleTruncate(row, ((Number) value).longValue());
            case FloatingPointVector numbers ->
                numbers.setSafeWithPossibleTruncate(row, ((Number) value).doubleValue());
            case VarCharVector text -> text.setSafe(row, value.toString().getBytes(StandardCharsets.UTF_8));
            case BitVector bits -> bits.setSafe(row, (Boolean) value ? 1 : 0);
            case FixedSizeListVector list -> {
                list.setNotNull(row);
                List<?> items = (List<?>) value;
                for (int i = 0; i < items.size(); i++) {
                    set(list.getDataVector(), row * list.getListSize() + i, items.get(i));
                }
            }
            case ListVector list -> {
                List<?> items = (List<?>) value;
                int start = list.startNewValue(row);
                for (int i = 0; i < items.size(); i++) {
                    set(list.getDataVector(), start + i, items.get(i));
                }
                list.endValue(row, items.size());
            }
            default -> throw new IllegalArgumentException("no way to set " + vector.getField());
        }
    }
}
