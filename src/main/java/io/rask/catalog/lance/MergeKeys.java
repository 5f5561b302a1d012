package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Watches the keys of the rows that a merge brings. The library refuses a key that comes twice only where it is in the table
 * already, and inserts it twice where it is not.
 */
final class MergeKeys {
    /** Of so many keys the hashes take a quarter of a gigabyte at most. */
    static final long MOST_ROWS = 8_000_000;

    private final List<String> columns;
    private final KeySet seen = new KeySet();
    private byte[] bytes = new byte[256];
    private long rows;
    private boolean nullKeys;

    MergeKeys(List<String> columns) {
        this.columns = columns;
    }

    /** @throws CatalogException code 13 for a column whose values cannot be compared as keys */
    static void requireComparable(Field column) {
        boolean nested = !column.getChildren().isEmpty() || column.getType().isComplex();
        if (nested || column.getType() instanceof ArrowType.Null || column.getDictionary() != null) {
            throw CatalogException.invalid("Rows cannot be matched by column '" + column.getName()
                    + "': a key holds single values such as numbers and texts.");
        }
    }

    /** @throws CatalogException code 13 when a key of these rows was there before, or when there are too many rows */
    void accept(VectorSchemaRoot batch) {
        rows += batch.getRowCount();
        if (rows > MOST_ROWS) {
            throw CatalogException.invalid("A merge takes at most " + MOST_ROWS
                    + " rows; send them in several merges, each key in one of them.");
        }
        List<FieldVector> keys = columns.stream().map(batch::getVector).toList();
        for (int row = 0; row < batch.getRowCount(); row++) {
            accept(keys, row);
        }
    }

    /** Whether some row has a null in its key. */
    boolean hasNullKeys() {
        return nullKeys;
    }

    private void accept(List<FieldVector> keys, int row) {
        for (FieldVector key : keys) {
            if (key.isNull(row)) {
                nullKeys = true;
                seen.discard();
                return;
            }
            seen.part(bytes, read(key, row));
        }
        if (!seen.add()) {
            StringBuilder values = new StringBuilder();
            keys.forEach(key -> values.append(values.isEmpty() ? "" : ", ").append(shown(key, row)));
            throw CatalogException.invalid("The stream has two rows with the key (" + values
                    + "); each key may come once, or it would not be clear which row counts.");
        }
    }

    private static String shown(FieldVector key, int row) {
        String value = key instanceof BaseFixedWidthVector || key instanceof BaseVariableWidthVector
                ? String.valueOf(key.getObject(row))
                : "…";
        return key.getName() + " = " + (value.length() > 60 ? value.substring(0, 60) + "…" : value);
    }

    /** Copies the value of a row to the front of {@link #bytes}; its length is the answer. */
    private int read(FieldVector key, int row) {
        return switch (key) {
            case BitVector bits -> number(bits.get(row));
            case Float4Vector floats -> number(Float.floatToIntBits(floats.get(row)));
            case Float8Vector doubles -> number(Double.doubleToLongBits(doubles.get(row)));
            case BaseFixedWidthVector fixed ->
                copy(fixed.getDataBuffer(), (long) row * fixed.getTypeWidth(), fixed.getTypeWidth());
            case BaseVariableWidthVector texts ->
                copy(texts.getDataBuffer(), texts.getStartOffset(row), texts.getValueLength(row));
            case BaseLargeVariableWidthVector texts ->
                copy(
                        texts.getDataBuffer(),
                        texts.getOffsetBuffer().getLong((long) row * Long.BYTES),
                        texts.getValueLength(row));
            default -> throw new IllegalStateException("no key can be made of " + key.getField());
        };
    }

    private int number(long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[i] = (byte) (value >>> (8 * i));
        }
        return Long.BYTES;
    }

    private int copy(ArrowBuf buffer, long offset, int length) {
        if (length > bytes.length) {
            bytes = new byte[Math.max(length, 2 * bytes.length)];
        }
        buffer.getBytes(offset, bytes, 0, length);
        return length;
    }
}
