package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampMilliTZVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Writes rows that this server itself has made as an Arrow stream: bounded tables such as the events of a job. */
@Component
public final class SmallTable {
    private final NativeRuntime runtime;

    public SmallTable(NativeRuntime runtime) {
        this.runtime = runtime;
    }

    /** What a column holds; in rows a text is a {@link String}, a number a {@link Long}, a moment an {@link Instant}. */
    public enum Type {
        TEXT(new ArrowType.Utf8()),
        NUMBER(new ArrowType.Int(Long.SIZE, true)),
        MOMENT(new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC"));

        private final ArrowType arrow;

        Type(ArrowType arrow) {
            this.arrow = arrow;
        }
    }

    /** A column that may hold nulls. */
    public record Column(String name, Type type) {}

    /**
     * Writes the schema, and one batch where there are rows.
     *
     * @param rows each with a value or null for every column
     * @param metadata goes into the schema
     */
    public void write(
            List<Column> columns,
            List<? extends List<? extends @Nullable Object>> rows,
            Map<String, String> metadata,
            WritableByteChannel out)
            throws IOException {
        List<Field> fields = columns.stream()
                .map(column -> Field.nullable(column.name(), column.type().arrow))
                .toList();
        try (BufferAllocator memory = runtime.allocator().newChildAllocator("small-table", 0, Long.MAX_VALUE);
                VectorSchemaRoot batch = VectorSchemaRoot.create(new Schema(fields, metadata), memory);
                ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, out)) {
            writer.start();
            if (!rows.isEmpty()) {
                for (int column = 0; column < columns.size(); column++) {
                    fill(batch.getVector(column), rows, column);
                }
                batch.setRowCount(rows.size());
                writer.writeBatch();
            }
            writer.end();
        }
    }

    private static void fill(FieldVector vector, List<? extends List<? extends @Nullable Object>> rows, int column) {
        vector.setInitialCapacity(rows.size());
        vector.allocateNew();
        for (int row = 0; row < rows.size(); row++) {
            Object value = rows.get(row).get(column);
            if (value != null) {
                set(vector, row, value);
            }
        }
        vector.setValueCount(rows.size());
    }

    private static void set(FieldVector vector, int row, Object value) {
        switch (vector) {
            case VarCharVector text -> text.setSafe(row, value.toString().getBytes(StandardCharsets.UTF_8));
            case BigIntVector numbers -> numbers.setSafe(row, (Long) value);
            case TimeStampMilliTZVector moments -> moments.setSafe(row, ((Instant) value).toEpochMilli());
            default -> throw CatalogException.of(ErrorCode.INTERNAL, "A column has a type that cannot be written.");
        }
    }
}
