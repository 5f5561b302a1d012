package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** The batches of a stream with the columns and types of a table. */
public final class FittedReader extends ArrowReader {
    private final ArrowReader source;
    private final Schema schema;
    private final List<Column> columns;
    private long rows;
    private @Nullable CatalogException failure;

    /**
     * @param source the column of the stream; where the column is absent, any, for the number of rows
     */
    private record Column(int source, boolean absent, Field target, Fit fit) {}

    private FittedReader(ArrowReader source, Schema schema, List<Column> columns, BufferAllocator allocator) {
        super(allocator);
        this.source = source;
        this.schema = schema;
        this.columns = columns;
    }

    /**
     * Fits a stream to an existing table. Columns may come in any order; a column that is missing, or has type null, must be
     * nullable and is filled with nulls.
     *
     * @throws CatalogException code 20 when a column is unknown, missing or of a type that does not fit
     */
    public static FittedReader toTable(ArrowReader source, Schema table, BufferAllocator allocator, IpcLimits limits)
            throws IOException {
        return toTable(source, Set.of(), table, allocator, limits);
    }

    /**
     * As {@link #toTable(ArrowReader, Schema, BufferAllocator, IpcLimits)}, for rows that carry more than the table's columns.
     *
     * @param ignored columns of the stream that are left out
     */
    public static FittedReader toTable(
            ArrowReader source, Set<String> ignored, Schema table, BufferAllocator allocator, IpcLimits limits)
            throws IOException {
        List<Field> given = source.getVectorSchemaRoot().getSchema().getFields();
        List<String> names = given.stream().map(Field::getName).toList();
        checkKnown(names.stream().filter(name -> !ignored.contains(name)).toList(), table);
        ColumnFits fits = new ColumnFits(source.getDictionaryVectors(), limits.batchBytes());
        List<Column> columns = new ArrayList<>();
        for (Field target : table.getFields()) {
            int index = names.indexOf(target.getName());
            boolean absent = index < 0 || isNull(given.get(index)) && !(target.getType() instanceof ArrowType.Null);
            if (absent && !target.isNullable()) {
                throw invalidSchema("Column " + TypeRules.quoted(target.getName())
                        + " is missing in the stream and cannot be null.");
            }
            Fit fit = absent
                    ? fits.nulls(target, target.getName())
                    : fits.plan(given.get(index), target, target.getName());
            columns.add(new Column(Math.max(index, 0), absent, target, fit));
        }
        if (columns.stream().allMatch(Column::absent)) {
            throw invalidSchema("The stream has values for none of the table's columns.");
        }
        return new FittedReader(source, table, columns, allocator);
    }

    /**
     * As {@link #toTable(ArrowReader, Schema, BufferAllocator, IpcLimits)}, with those columns of the table alone that the stream
     * has: what a merge leaves out keeps its values.
     */
    public static FittedReader toGivenColumns(
            ArrowReader source, Schema table, BufferAllocator allocator, IpcLimits limits) throws IOException {
        Set<String> given = source.getVectorSchemaRoot().getSchema().getFields().stream()
                .map(Field::getName)
                .collect(Collectors.toSet());
        List<Field> kept = table.getFields().stream()
                .filter(field -> given.contains(field.getName()))
                .toList();
        checkKnown(List.copyOf(given), table);
        return toTable(source, Set.of(), new Schema(kept, table.getCustomMetadata()), allocator, limits);
    }

    /**
     * Makes a stream a table of its own: dictionaries become plain columns and views plain text and bytes.
     *
     * @param reserved the keys of the schema's metadata that no stream may bring along; they are left out
     */
    public static FittedReader asTable(
            IpcReader source, Predicate<String> reserved, BufferAllocator allocator, IpcLimits limits)
            throws IOException {
        Schema given = source.getVectorSchemaRoot().getSchema();
        List<Field> plain =
                given.getFields().stream().map(field -> plain(field, source)).toList();
        Map<String, String> metadata = new HashMap<>(Objects.requireNonNullElse(given.getCustomMetadata(), Map.of()));
        metadata.keySet().removeIf(reserved);
        Schema table = new Schema(plain, metadata);
        TypeRules.checkTable(table);
        return toTable(source, table, allocator, limits);
    }

    private static void checkKnown(List<String> names, Schema table) {
        List<String> known = table.getFields().stream().map(Field::getName).toList();
        List<String> unknown =
                names.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw invalidSchema("The table has no column "
                    + String.join(
                            ", ",
                            unknown.stream().limit(10).map(TypeRules::quoted).toList())
                    + ". Add it first, or leave it out of the stream.");
        }
    }

    private static boolean isNull(Field field) {
        return field.getDictionary() == null && field.getType() instanceof ArrowType.Null;
    }

    private static Field plain(Field field, IpcReader source) {
        Field value = field.getDictionary() == null
                ? field
                : source.lookup(field.getDictionary().getId()).getVector().getField();
        ArrowType type = TypeRules.stored(value.getType());
        List<Field> children =
                value.getChildren().stream().map(child -> plain(child, source)).toList();
        return new Field(field.getName(), new FieldType(field.isNullable(), type, null, field.getMetadata()), children);
    }

    /** Why reading stopped, when it stopped with a failure. */
    public Optional<CatalogException> failure() {
        return failure != null || !(source instanceof IpcReader stream)
                ? Optional.ofNullable(failure)
                : stream.failure();
    }

    /** Rows read so far. */
    public long rows() {
        return rows;
    }

    /** The schema of the batches. */
    public Schema schema() {
        return schema;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        if (!source.loadNextBatch()) {
            return false;
        }
        try {
            fill(source.getVectorSchemaRoot(), getVectorSchemaRoot());
            rows += source.getVectorSchemaRoot().getRowCount();
            return true;
        } catch (RuntimeException e) {
            failure = understood(e);
            throw new IOException(failure.text(), failure);
        }
    }

    /** Native code passes only the text of a failure on. */
    private static CatalogException understood(RuntimeException e) {
        if (e instanceof CatalogException known) {
            return known;
        }
        return e instanceof OutOfMemoryException
                ? CatalogException.of(ErrorCode.THROTTLING, "The server has no memory for the batch now; try again.", e)
                : CatalogException.of(ErrorCode.INTERNAL, "The rows could not be fitted to the table.", e);
    }

    private void fill(VectorSchemaRoot from, VectorSchemaRoot to) {
        int rows = from.getRowCount();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            FieldVector given = from.getVector(column.source());
            FieldVector target = to.getVector(i);
            target.clear();
            column.fit().fill(given, target);
            RequiredValues.check(target);
        }
        to.setRowCount(rows);
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

    private static CatalogException invalidSchema(String message) {
        return CatalogException.of(ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR, message);
    }
}
