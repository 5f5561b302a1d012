package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.lance.arrow.IpcLimits;
import io.rask.catalog.lance.sql.NoRows;
import io.rask.catalog.lance.sql.SelectQuery;
import io.rask.catalog.lance.sql.SqlSession;
import io.rask.catalog.problem.CatalogException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** The rows of tables as the engine reads them: once, from the front, and no column that the query does not name. */
final class ViewScans {
    private static final int READAHEAD = 4;
    private static final int DECIMAL_BITS = 128;

    private ViewScans() {}

    /**
     * Gives the query its next table.
     *
     * @param fragments the only fragments that are read; null for all
     * @param withRows whether there are any rows, or columns alone
     */
    static void add(
            SqlSession session,
            DatasetLease table,
            SelectQuery query,
            @Nullable List<Integer> fragments,
            boolean withRows,
            BufferAllocator allocator,
            IpcLimits limits)
            throws Exception {
        List<Field> read = read(table.schema(), query);
        Schema given = new Schema(read.stream().map(ViewScans::readable).toList());
        if (!withRows || (fragments != null && fragments.isEmpty())) {
            session.add(new NoRows(given, allocator), () -> {}, NativeErrors::translate);
            return;
        }
        List<String> columns = read.stream().map(Field::getName).toList();
        ScanOptions.Builder options = new ScanOptions.Builder()
                .columns(columns)
                .batchSize(Scans.batchRows(table, columns))
                .batchReadahead(READAHEAD);
        if (fragments != null) {
            options.fragmentIds(fragments);
        }
        LanceScanner scanner = table.dataset().newScan(options.build());
        try {
            ArrowReader rows = scanner.scanBatches();
            session.add(
                    given.getFields().equals(read) ? rows : FittedReader.toTable(rows, given, allocator, limits),
                    scanner,
                    NativeErrors::translate);
        } catch (Exception | Error e) {
            scanner.close();
            throw e;
        }
    }

    /** The columns the query may read; of rows that are only counted, the first. */
    private static List<Field> read(Schema schema, SelectQuery query) {
        List<Field> read = schema.getFields().stream()
                .filter(field -> query.reads(field.getName()))
                .toList();
        Set<String> names = new HashSet<>();
        for (Field field : read) {
            if (!names.add(field.getName().toLowerCase(Locale.ROOT))) {
                throw CatalogException.invalid("Column '" + field.getName()
                        + "' has the name of another but for the case of letters, which a query does not tell apart.");
            }
        }
        return read.isEmpty() ? schema.getFields().subList(0, 1) : read;
    }

    /** The column as the engine can read it: halves become floats, which hold their values. */
    private static Field readable(Field field) {
        ArrowType type = field.getType();
        if (Blobs.isBlob(field)) {
            throw CatalogException.invalid("Column '" + field.getName()
                    + "' holds blobs, which no view can read; leave the column out of the query.");
        }
        if (type instanceof ArrowType.Decimal decimal && decimal.getBitWidth() > DECIMAL_BITS) {
            throw CatalogException.invalid("Column '" + field.getName()
                    + "' holds decimals of 256 bits, which no view can read; leave the column out of the query.");
        }
        boolean half =
                type instanceof ArrowType.FloatingPoint number && number.getPrecision() == FloatingPointPrecision.HALF;
        return new Field(
                field.getName(),
                new FieldType(
                        field.isNullable(),
                        half ? new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE) : type,
                        field.getDictionary(),
                        field.getMetadata()),
                field.getChildren().stream().map(ViewScans::readable).toList());
    }
}
