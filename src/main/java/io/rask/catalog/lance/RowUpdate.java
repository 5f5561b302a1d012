package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;
import org.lance.operation.Update;

/**
 * One attempt of an update on one version of a table. The library has no update of its own: the matching rows are computed anew
 * into new fragments and marked as deleted where they were, in a single transaction that conflicts with any other change of the
 * same rows.
 */
final class RowUpdate {
    private static final String ROW_ADDRESS = "_rowaddr";
    private static final int FRAGMENT_SHIFT = 32;

    private final Dataset dataset;
    private final TableLocation location;
    private final @Nullable SqlText filter;
    private final Assignments assignments;

    RowUpdate(Dataset dataset, TableLocation location, @Nullable SqlText filter, Assignments assignments) {
        this.dataset = dataset;
        this.location = location;
        this.filter = filter;
        this.assignments = assignments;
    }

    /** New values by column. */
    record Assignments(Map<String, SqlText> expressions) {
        /** Checks the expressions; code 13 for one that is none, and for an update of nothing. */
        static Assignments of(Map<String, String> sql) {
            if (sql.isEmpty()) {
                throw CatalogException.invalid("The update names no column to set.");
            }
            Map<String, SqlText> expressions = new LinkedHashMap<>();
            sql.forEach((column, expression) -> expressions.put(column, SqlText.of(expression)));
            return new Assignments(expressions);
        }
    }

    EditResult run() throws Exception {
        Schema schema = dataset.getSchema();
        assignments.expressions.keySet().forEach(column -> requireColumn(schema, column));
        refuseBlobs(schema);
        Map<Integer, RowOffsets> matched;
        try {
            matched = matchedRows();
        } catch (RuntimeException e) {
            throw SqlErrors.translate(e, "The predicate");
        }
        long count = matched.values().stream().mapToLong(RowOffsets::size).sum();
        if (count == 0) {
            return new EditResult(dataset.version(), 0);
        }
        List<FragmentMetadata> added = rewritten(schema, count);
        return new EditResult(commit(matched, added), count);
    }

    private static void requireColumn(Schema schema, String column) {
        if (schema.getFields().stream().noneMatch(field -> field.getName().equals(column))) {
            String columns = schema.getFields().stream().map(Field::getName).collect(Collectors.joining(", "));
            throw CatalogException.of(
                    ErrorCode.TABLE_COLUMN_NOT_FOUND,
                    "The table has no column '" + column + "'; it has " + columns + ".");
        }
    }

    /** A scan gives only descriptions of blobs, so rewriting their rows would lose them. */
    private static void refuseBlobs(Schema schema) {
        for (Field field : schema.getFields()) {
            boolean blob = "true".equals(field.getMetadata().get("lance-encoding:blob"))
                    || "lance.blob.v2".equals(field.getMetadata().get("ARROW:extension:name"));
            if (blob) {
                throw CatalogException.of(
                        ErrorCode.INVALID_TABLE_STATE,
                        "The table has a blob column, '" + field.getName()
                                + "'; its rows cannot be updated in place, only deleted and inserted.");
            }
        }
    }

    /** Where the matching rows are, by fragment. */
    private Map<Integer, RowOffsets> matchedRows() throws Exception {
        ScanOptions.Builder scan = new ScanOptions.Builder().columns(List.of(ROW_ADDRESS));
        if (filter != null) {
            scan.filter(filter.forFilter());
        }
        Map<Integer, RowOffsets> matched = new TreeMap<>();
        try (LanceScanner scanner = dataset.newScan(scan.build());
                ArrowReader reader = scanner.scanBatches()) {
            while (reader.loadNextBatch()) {
                UInt8Vector addresses =
                        (UInt8Vector) reader.getVectorSchemaRoot().getVector(ROW_ADDRESS);
                for (int i = 0; i < addresses.getValueCount(); i++) {
                    long address = addresses.get(i);
                    matched.computeIfAbsent((int) (address >>> FRAGMENT_SHIFT), id -> new RowOffsets())
                            .add((int) address);
                }
            }
        }
        return matched;
    }

    /** Computes the rows anew and writes them as fragments nobody sees yet. */
    private List<FragmentMetadata> rewritten(Schema schema, long expected) throws Exception {
        try (ArrowReader computed = dataset.sql(select(schema)).intoBatchRecords()) {
            RelabelledReader rows = new RelabelledReader(computed, schema, dataset.allocator());
            List<FragmentMetadata> added = write(rows);
            if (rows.rows() != expected) {
                throw new IllegalStateException(
                        "an update matched " + expected + " rows and computed " + rows.rows() + " of " + dataset.uri());
            }
            return added;
        } catch (IllegalStateException | CatalogException e) {
            throw e;
        } catch (Exception e) {
            throw SqlErrors.translate(e, "The update");
        }
    }

    /** The export takes the reader over and closes it. */
    private List<FragmentMetadata> write(RelabelledReader rows) {
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(dataset.allocator())) {
            Data.exportArrayStream(dataset.allocator(), rows, stream);
            return Fragment.write()
                    .datasetUri(dataset.uri())
                    .allocator(dataset.allocator())
                    .data(stream)
                    .mode(WriteParams.WriteMode.APPEND)
                    .storageOptions(location.storageOptions())
                    .execute();
        } catch (RuntimeException e) {
            throw rows.failure().<RuntimeException>map(known -> known).orElse(e);
        }
    }

    private String select(Schema schema) {
        Set<String> names = new LinkedHashSet<>();
        schema.getFields().forEach(field -> collectNames(field, names));
        String columns =
                schema.getFields().stream().map(field -> column(field, names)).collect(Collectors.joining(", "));
        return "SELECT " + columns + " FROM dataset" + (filter == null ? "" : " WHERE " + filter.forSelect(names));
    }

    private String column(Field field, Set<String> names) {
        String name = "\"" + field.getName().replace("\"", "\"\"") + "\"";
        SqlText expression = assignments.expressions.get(field.getName());
        if (expression == null) {
            return name;
        }
        String type = ArrowCast.typeOf(field).replace("'", "''");
        return "arrow_cast((" + expression.forSelect(names) + "), '" + type + "') AS " + name;
    }

    private static void collectNames(Field field, Set<String> into) {
        into.add(field.getName());
        field.getChildren().forEach(child -> collectNames(child, into));
    }

    private long commit(Map<Integer, RowOffsets> matched, List<FragmentMetadata> added) {
        List<FragmentMetadata> updated = new ArrayList<>();
        List<Long> removed = new ArrayList<>();
        matched.forEach((id, offsets) -> {
            Fragment fragment = dataset.getFragment(id);
            if (offsets.size() == fragment.countRows()) {
                removed.add((long) id);
            } else {
                updated.add(fragment.deleteRows(offsets.asList()));
            }
        });
        Update update = Update.builder()
                .removedFragmentIds(removed)
                .updatedFragments(updated)
                .newFragments(added)
                .updateMode(Optional.of(Update.UpdateMode.RewriteRows))
                .build();
        try (Transaction transaction = new Transaction.Builder()
                        .readVersion(dataset.version())
                        .operation(update)
                        .build();
                Dataset after = new CommitBuilder(dataset).execute(transaction)) {
            return after.version();
        }
    }

    /** Offsets of rows inside one fragment; four bytes each, because an update may match every row of a large table. */
    private static final class RowOffsets {
        private int[] offsets = new int[64];
        private int size;

        void add(int offset) {
            if (size == offsets.length) {
                offsets = Arrays.copyOf(offsets, size * 2);
            }
            offsets[size++] = offset;
        }

        int size() {
            return size;
        }

        List<Integer> asList() {
            return IntStream.of(offsets).limit(size).boxed().toList();
        }
    }
}
