package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.lance.arrow.IpcLimits;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.WriteFragmentBuilder;
import org.lance.WriteParams.WriteMode;
import org.lance.fragment.DataFile;
import org.springframework.stereotype.Component;

/**
 * Computes columns by SQL and writes them into files beside those the fragments have: one file for each fragment, which nobody sees
 * until a commit names it. Rows go through in batches; the table is never held as a whole.
 */
@Component
final class ColumnFiles {
    static final String ORDER = "__row_number";
    private static final long ONE_FILE = 1L << 60;

    private final NativeRuntime runtime;
    private final RowCommits commits;
    private final IpcLimits limits;

    ColumnFiles(NativeRuntime runtime, RowCommits commits, CatalogProperties properties) {
        this.runtime = runtime;
        this.commits = commits;
        this.limits = IpcLimits.ofBatch(properties.limits().arrowBatch().toBytes());
    }

    /**
     * A column to compute.
     *
     * @param target its name and type
     * @param sql the expression, as the engine's SELECT takes it
     */
    record Computed(Field target, String sql) {}

    /** The type an expression has, as the engine says; nothing is computed. */
    Field type(Dataset table, String name, String sql) throws Exception {
        String select =
                "SELECT (" + sql + ") AS " + SqlText.quoted(name) + ", " + anchor(table) + " FROM dataset LIMIT 0";
        try (ArrowReader none = table.sql(select).intoBatchRecords()) {
            Field field = none.getVectorSchemaRoot().getSchema().getFields().get(0);
            if (field.getDictionary() != null || field.getType() instanceof ArrowType.Null) {
                throw CatalogException.invalid(
                        "The expression of column '" + name + "' has no type a column can have; cast it to one.");
            }
            return field;
        }
    }

    private static String anchor(Dataset table) {
        // Without a stored column the engine ignores the projection.
        return SqlText.quoted(table.getSchema().getFields().get(0).getName()) + " AS " + UpdatePlan.ANCHOR;
    }

    /**
     * Computes columns for every row and writes them.
     *
     * @param first the id of the first column; the others, and the fields inside them, follow
     * @return the fragments of the table with the new files
     * @throws CatalogException code 13 when an expression fails on the data
     */
    List<FragmentMetadata> write(TableLocation location, Dataset table, List<Computed> columns, int first)
            throws Exception {
        Map<Integer, DataFile> written = files(location, table, columns, id -> first + id);
        return unchanged(table).stream()
                .map(fragment -> {
                    DataFile file = written.get(fragment.getId());
                    return file == null ? fragment : with(fragment, file);
                })
                .toList();
    }

    /**
     * As {@link #write}, with the files alone.
     *
     * @param ids gives the id of a column, or field inside one, by its place among them
     * @return the file of each fragment that has rows, by the fragment's id
     */
    Map<Integer, DataFile> files(TableLocation location, Dataset table, List<Computed> columns, IntUnaryOperator ids)
            throws Exception {
        Map<Integer, DataFile> files = new HashMap<>();
        List<FragmentMetadata> filled = unchanged(table).stream()
                .filter(fragment -> fragment.getNumRows() > 0)
                .toList();
        if (filled.isEmpty()) {
            return files;
        }
        ArrowReader selected =
                table.sql(select(table, columns)).withRowAddr(true).intoBatchRecords();
        Set<String> names =
                columns.stream().map(column -> column.target().getName()).collect(Collectors.toSet());
        List<Field> values = selected.getVectorSchemaRoot().getSchema().getFields().stream()
                .filter(field -> names.contains(field.getName()))
                .toList();
        Schema target = new Schema(columns.stream().map(Computed::target).toList());
        OrderedRows ordered = new OrderedRows(selected, ORDER, runtime.allocator());
        try (FragmentRows rows = new FragmentRows(ordered, values, runtime.allocator())) {
            for (FragmentMetadata fragment : filled) {
                DataFile file = write(location, table, fragment, rows, target);
                files.put(fragment.getId(), renumbered(file, ids));
            }
            if (!rows.isDone()) {
                throw new IllegalStateException("rows are left that belong to no fragment");
            }
        }
        return files;
    }

    private static String select(Dataset table, List<Computed> columns) {
        List<String> selected = new ArrayList<>();
        selected.add(UpdatePlan.ADDRESS);
        selected.add("row_number() OVER () AS " + ORDER);
        for (Computed column : columns) {
            selected.add("(" + column.sql() + ") AS "
                    + SqlText.quoted(column.target().getName()));
        }
        selected.add(anchor(table));
        return "SELECT " + String.join(", ", selected) + " FROM dataset";
    }

    private DataFile write(
            TableLocation location, Dataset table, FragmentMetadata fragment, FragmentRows rows, Schema target)
            throws Exception {
        FragmentRows.Reader reader = rows.of(fragment.getId(), fragment.getPhysicalRows());
        List<FragmentMetadata> written;
        try (FittedReader fitted = FittedReader.toTable(reader, target, runtime.allocator(), limits)) {
            written = write(location, table, fitted);
        }
        if (written.size() != 1
                || written.get(0).getFiles().size() != 1
                || written.get(0).getPhysicalRows() != fragment.getPhysicalRows()
                || reader.live() != fragment.getNumRows()) {
            throw new IllegalStateException("a fragment and its new column do not have the same rows");
        }
        return written.get(0).getFiles().get(0);
    }

    private List<FragmentMetadata> write(TableLocation location, Dataset table, FittedReader rows) throws Exception {
        // Overwriting means here that the rows need not have the table's columns; the table itself stays as it is.
        WriteFragmentBuilder write = Fragment.write()
                .datasetUri(table.uri())
                .mode(WriteMode.OVERWRITE)
                .maxRowsPerFile(Integer.MAX_VALUE)
                .maxBytesPerFile(ONE_FILE)
                .dataStorageVersion(table.getLanceFileFormatVersion());
        return commits.files(write, location, rows);
    }

    private static DataFile renumbered(DataFile file, IntUnaryOperator ids) {
        return new DataFile(
                file.getPath(),
                Arrays.stream(file.getFields()).map(ids).toArray(),
                file.getColumnIndices(),
                file.getFileMajorVersion(),
                file.getFileMinorVersion(),
                file.getFileSizeBytes(),
                null);
    }

    private static FragmentMetadata with(FragmentMetadata fragment, DataFile added) {
        List<DataFile> files = new ArrayList<>(fragment.getFiles());
        files.add(added);
        return withFiles(fragment, files);
    }

    /** The fragment with other files for the same rows. */
    static FragmentMetadata withFiles(FragmentMetadata fragment, List<DataFile> files) {
        return new FragmentMetadata(
                fragment.getId(),
                files,
                fragment.getPhysicalRows(),
                fragment.getDeletionFile(),
                fragment.getRowIdMeta(),
                fragment.getCreatedAtVersionMeta(),
                fragment.getLastUpdatedAtVersionMeta());
    }

    /** The fragments as they are. */
    static List<FragmentMetadata> unchanged(Dataset table) {
        return table.getFragments().stream().map(Fragment::metadata).toList();
    }

    /** The fragments without the files in which no column is left. */
    static List<FragmentMetadata> pruned(List<FragmentMetadata> fragments, Set<Integer> ids) {
        return fragments.stream()
                .map(fragment -> {
                    List<DataFile> needed = fragment.getFiles().stream()
                            .filter(file -> Arrays.stream(file.getFields()).anyMatch(ids::contains))
                            .toList();
                    return needed.isEmpty() ? fragment : withFiles(fragment, needed);
                })
                .toList();
    }

    /** The ids of columns and of the fields inside them. */
    static Set<Integer> ids(List<Field> fields) {
        Set<Integer> ids = new HashSet<>();
        for (Field field : fields) {
            ids.add(ColumnIds.id(field));
            ids.addAll(ids(field.getChildren()));
        }
        return ids;
    }
}
