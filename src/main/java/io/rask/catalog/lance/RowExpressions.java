package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.VectorSchemaRootAppender;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;

/**
 * Computes SQL expressions over rows at hand. The library computes them over tables only, so the rows become one for a moment, in
 * memory.
 */
final class RowExpressions {
    private static final String PLACE = "memory://rows-";

    private final Map<String, SqlText> wanted;
    private final BufferAllocator allocator;

    /** @param wanted the expressions by the names of their results, in order; at least one */
    RowExpressions(Map<String, SqlText> wanted, BufferAllocator allocator) {
        this.wanted = wanted;
        this.allocator = allocator;
    }

    /**
     * What the expressions give for each of the rows, in their order.
     *
     * @param rows at least one; they are used up
     */
    VectorSchemaRoot of(VectorSchemaRoot rows) throws Exception {
        int count = rows.getRowCount();
        Set<String> names = FieldPath.names(rows.getSchema().getFields());
        String anchor = rows.getSchema().getFields().getFirst().getName();
        try (ArrowReader once = new Once(rows, allocator);
                Dataset table = Dataset.write()
                        .allocator(allocator)
                        .reader(once)
                        .uri(PLACE + UUID.randomUUID())
                        .execute()) {
            return computed(table, names, anchor, count);
        }
    }

    private VectorSchemaRoot computed(Dataset table, Set<String> names, String anchor, int count) throws Exception {
        List<String> plain = new ArrayList<>();
        wanted.forEach((name, text) -> plain.add("(" + text.forSelect(names) + ")"));
        List<String> cast = new ArrayList<>(plain);
        try (ArrowReader none = table.sql(select(plain, anchor) + " LIMIT 0").intoBatchRecords()) {
            Schema schema = none.getVectorSchemaRoot().getSchema();
            int at = 0;
            for (String name : wanted.keySet()) {
                Field field = schema.findField(name);
                if (field.getDictionary() != null) {
                    throw CatalogException.invalid(
                            "An expression gives values by a dictionary; cast it to the type of the values.");
                }
                String type = readable(field.getType());
                cast.set(at, type == null ? plain.get(at) : "arrow_cast(" + plain.get(at) + ", '" + type + "')");
                at++;
            }
        }
        ArrowReader result = table.sql(select(cast, anchor)).intoBatchRecords();
        try (OrderedRows ordered = new OrderedRows(result, ColumnFiles.ORDER, allocator)) {
            return whole(ordered, result.getVectorSchemaRoot().getSchema(), count);
        }
    }

    /** A type that every client can read, where the engine's own is not one; null where it is. */
    private static @Nullable String readable(ArrowType type) {
        return switch (type) {
            case ArrowType.Utf8View ignored -> "Utf8";
            case ArrowType.BinaryView ignored -> "Binary";
            default -> null;
        };
    }

    private String select(List<String> expressions, String anchor) {
        List<String> selected = new ArrayList<>();
        selected.add("row_number() OVER () AS " + ColumnFiles.ORDER);
        int at = 0;
        for (String name : wanted.keySet()) {
            selected.add(expressions.get(at++) + " AS " + SqlText.quoted(name));
        }
        // Without a stored column the engine ignores the projection.
        selected.add(SqlText.quoted(anchor) + " AS " + UpdatePlan.ANCHOR);
        return "SELECT " + String.join(", ", selected) + " FROM dataset";
    }

    private VectorSchemaRoot whole(OrderedRows ordered, Schema schema, int count) throws IOException {
        List<Field> fields = wanted.keySet().stream().map(schema::findField).toList();
        VectorSchemaRoot whole = VectorSchemaRoot.create(new Schema(fields), allocator);
        try {
            for (VectorSchemaRoot batch = ordered.next(); batch != null; batch = ordered.next()) {
                add(batch, whole);
            }
            if (whole.getRowCount() != count) {
                throw new IllegalStateException("expressions gave " + whole.getRowCount() + " of " + count + " rows");
            }
            return whole;
        } catch (IOException | RuntimeException e) {
            whole.close();
            throw e;
        }
    }

    private static void add(VectorSchemaRoot batch, VectorSchemaRoot whole) {
        List<FieldVector> vectors = new ArrayList<>();
        for (FieldVector to : whole.getFieldVectors()) {
            vectors.add(batch.getVector(to.getName()));
        }
        if (whole.getRowCount() > 0) {
            VectorSchemaRoot part = new VectorSchemaRoot(vectors);
            part.setRowCount(batch.getRowCount());
            VectorSchemaRootAppender.append(false, whole, part);
            return;
        }
        for (int i = 0; i < vectors.size(); i++) {
            vectors.get(i).makeTransferPair(whole.getVector(i)).transfer();
        }
        whole.setRowCount(batch.getRowCount());
    }

    /** Rows at hand as a stream of one batch. */
    private static final class Once extends ArrowReader {
        private final VectorSchemaRoot rows;
        private boolean given;

        Once(VectorSchemaRoot rows, BufferAllocator allocator) {
            super(allocator);
            this.rows = rows;
        }

        @Override
        public boolean loadNextBatch() throws IOException {
            prepareLoadNextBatch();
            if (given) {
                return false;
            }
            given = true;
            VectorSchemaRoot to = getVectorSchemaRoot();
            for (int i = 0; i < rows.getFieldVectors().size(); i++) {
                rows.getVector(i).makeTransferPair(to.getVector(i)).transfer();
            }
            to.setRowCount(rows.getRowCount());
            return true;
        }

        @Override
        public long bytesRead() {
            return 0;
        }

        @Override
        protected void closeReadSource() {
            // The rows are the caller's.
        }

        @Override
        protected Schema readSchema() {
            return rows.getSchema();
        }
    }
}
