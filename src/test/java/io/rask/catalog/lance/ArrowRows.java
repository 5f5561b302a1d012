package io.rask.catalog.lance;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;

/** Arrow streams and files for tests, written and read by Arrow's own code. */
final class ArrowRows {
    static final ArrowType INT32 = new ArrowType.Int(32, true);
    static final ArrowType INT64 = new ArrowType.Int(64, true);
    static final ArrowType UINT8 = new ArrowType.Int(8, false);
    static final ArrowType FLOAT = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    static final ArrowType DOUBLE = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    static final ArrowType UTF8 = new ArrowType.Utf8();

    private ArrowRows() {}

    static Field field(String name, ArrowType type, Field... children) {
        return new Field(name, FieldType.nullable(type), List.of(children));
    }

    static Field required(String name, ArrowType type, Field... children) {
        return new Field(name, FieldType.notNullable(type), List.of(children));
    }

    static Field vector(String name, int size, ArrowType type) {
        return field(name, new ArrowType.FixedSizeList(size), field("item", type));
    }

    static Field list(String name, ArrowType type) {
        return field(name, new ArrowType.List(), field("item", type));
    }

    static Schema schema(Field... fields) {
        return new Schema(List.of(fields));
    }

    static InputStream stream(Schema schema, List<List<?>> rows) {
        return new ByteArrayInputStream(bytes(schema, rows));
    }

    static byte[] bytes(Schema schema, List<List<?>> rows) {
        return bytes(schema, List.of(rows), CodecType.NO_COMPRESSION);
    }

    /** One batch for each list of rows. */
    static byte[] bytes(Schema schema, List<List<List<?>>> batches, CodecType codec) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                ArrowStreamWriter writer = new ArrowStreamWriter(
                        root,
                        new DictionaryProvider.MapDictionaryProvider(),
                        Channels.newChannel(out),
                        IpcOption.DEFAULT,
                        codec == CodecType.NO_COMPRESSION
                                ? NoCompressionCodec.Factory.INSTANCE
                                : CommonsCompressionFactory.INSTANCE,
                        codec)) {
            writer.start();
            for (List<List<?>> rows : batches) {
                fill(root, rows);
                writer.writeBatch();
            }
            writer.end();
            return out.toByteArray();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A stream of a schema alone, also of types that Arrow's own code makes no vectors of. */
    static byte[] schemaOnly(Schema schema) {
        try (ByteArrayOutputStream out = new ByteArrayOutputStream();
                WriteChannel channel = new WriteChannel(Channels.newChannel(out))) {
            MessageSerializer.serialize(channel, schema);
            channel.writeIntLittleEndian(-1);
            channel.writeIntLittleEndian(0);
            return out.toByteArray();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static void fill(VectorSchemaRoot root, List<List<?>> rows) {
        root.clear();
        for (int column = 0; column < root.getFieldVectors().size(); column++) {
            FieldVector vector = root.getVector(column);
            vector.setInitialCapacity(rows.size());
            vector.allocateNew();
            for (int row = 0; row < rows.size(); row++) {
                set(vector, row, rows.get(row).get(column));
            }
            vector.setValueCount(rows.size());
        }
        root.setRowCount(rows.size());
    }

    private static void set(FieldVector vector, int row, @Nullable Object value) {
        if (value == null) {
            while (!(vector instanceof NullVector) && vector.getValueCapacity() <= row) {
                vector.reAlloc();
            }
            vector.setNull(row);
            return;
        }
        switch (vector) {
            case BitVector bits -> bits.setSafe(row, (Boolean) value ? 1 : 0);
            case BaseIntVector numbers -> {
                while (vector.getValueCapacity() <= row) {
                    vector.reAlloc();
                }
                numbers.setWithPossibleTruncate(row, ((Number) value).longValue());
            }
            case Float2Vector numbers -> numbers.setSafeWithPossibleTruncate(row, ((Number) value).floatValue());
            case FloatingPointVector numbers ->
                numbers.setSafeWithPossibleTruncate(row, ((Number) value).doubleValue());
            case DecimalVector decimal -> decimal.setSafe(row, (BigDecimal) value);
            case TimeStampVector time -> time.setSafe(row, ((Number) value).longValue());
            case VarCharVector text -> text.setSafe(row, utf8(value));
            case LargeVarCharVector text -> text.setSafe(row, utf8(value));
            case ViewVarCharVector text -> text.setSafe(row, utf8(value));
            case VarBinaryVector bytes -> bytes.setSafe(row, (byte[]) value);
            case LargeVarBinaryVector bytes -> bytes.setSafe(row, (byte[]) value);
            case StructVector struct -> setStruct(struct, row, (Map<?, ?>) value);
            case FixedSizeListVector list -> setVector(list, row, (List<?>) value);
            case ListVector list -> setList(list, row, (List<?>) value);
            case LargeListVector list -> setLargeList(list, row, (List<?>) value);
            default -> throw new AssertionError("no way to set " + vector.getField());
        }
    }

    private static byte[] utf8(Object value) {
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void setStruct(StructVector struct, int row, Map<?, ?> value) {
        struct.setIndexDefined(row);
        for (FieldVector child : struct.getChildrenFromFields()) {
            set(child, row, value.get(child.getName()));
        }
    }

    private static void setVector(FixedSizeListVector list, int row, List<?> value) {
        list.setNotNull(row);
        for (int i = 0; i < value.size(); i++) {
            set(list.getDataVector(), row * list.getListSize() + i, value.get(i));
        }
    }

    private static void setList(ListVector list, int row, List<?> value) {
        int start = list.startNewValue(row);
        for (int i = 0; i < value.size(); i++) {
            set(list.getDataVector(), start + i, value.get(i));
        }
        list.endValue(row, value.size());
    }

    private static void setLargeList(LargeListVector list, int row, List<?> value) {
        long start = list.startNewValue(row);
        for (int i = 0; i < value.size(); i++) {
            set(list.getDataVector(), (int) start + i, value.get(i));
        }
        list.endValue(row, value.size());
    }

    /** The rows of an Arrow file as plain values by column name. */
    static List<Map<String, @Nullable Object>> read(byte[] file) {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowFileReader reader =
                        new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(file), allocator)) {
            List<Map<String, @Nullable Object>> rows = new ArrayList<>();
            while (reader.loadNextBatch()) {
                VectorSchemaRoot root = reader.getVectorSchemaRoot();
                for (int row = 0; row < root.getRowCount(); row++) {
                    Map<String, @Nullable Object> values = new LinkedHashMap<>();
                    for (FieldVector vector : root.getFieldVectors()) {
                        values.put(vector.getName(), plain(vector.getObject(row)));
                    }
                    rows.add(values);
                }
            }
            return rows;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Schema readSchema(byte[] file) {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowFileReader reader =
                        new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(file), allocator)) {
            return reader.getVectorSchemaRoot().getSchema();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Text text -> text.toString();
            case List<?> list -> {
                List<@Nullable Object> plain = new ArrayList<>();
                list.forEach(element -> plain.add(plain(element)));
                yield plain;
            }
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> plain = new LinkedHashMap<>();
                map.forEach((key, element) -> plain.put(String.valueOf(key), plain(element)));
                yield plain;
            }
            default -> value;
        };
    }
}
