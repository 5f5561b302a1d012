package io.rask.catalog.lance;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** Rows of {@code __manifest} as Arrow data: the column names are those of Lance's own directory catalog. */
final class ManifestRows {
    private static final String ID = "object_id";
    private static final String TYPE = "object_type";
    private static final String LOCATION = "location";
    private static final String METADATA = "metadata";
    private static final String BASES = "base_objects";
    private static final String ADDRESS = "_rowaddr";
    private static final List<String> COLUMNS = List.of(ID, TYPE, LOCATION, METADATA, BASES);

    private ManifestRows() {}

    /** Reads the rows of some fragments, with their addresses. */
    static List<ManifestRow> read(Dataset manifest, Collection<Integer> fragments) throws Exception {
        List<ManifestRow> rows = new ArrayList<>();
        if (fragments.isEmpty()) {
            return rows;
        }
        ScanOptions scan = new ScanOptions.Builder()
                .columns(COLUMNS)
                .withRowAddress(true)
                .fragmentIds(List.copyOf(fragments))
                .batchSize(8192)
                .build();
        try (LanceScanner scanner = manifest.newScan(scan);
                ArrowReader reader = scanner.scanBatches()) {
            while (reader.loadNextBatch()) {
                VectorSchemaRoot batch = reader.getVectorSchemaRoot();
                UInt8Vector addresses = (UInt8Vector) batch.getVector(ADDRESS);
                for (int row = 0; row < batch.getRowCount(); row++) {
                    rows.add(new ManifestRow(entry(batch, row), addresses.get(row)));
                }
            }
        }
        return rows;
    }

    private static ManifestEntry entry(VectorSchemaRoot batch, int row) {
        return new ManifestEntry(
                required(batch, ID, row),
                required(batch, TYPE, row),
                text(batch, LOCATION, row),
                text(batch, METADATA, row),
                bases(batch, row));
    }

    private static String required(VectorSchemaRoot batch, String column, int row) {
        String value = text(batch, column, row);
        if (value == null) {
            throw new IllegalStateException("the catalog manifest has a row without " + column);
        }
        return value;
    }

    private static @Nullable String text(VectorSchemaRoot batch, String column, int row) {
        FieldVector vector = batch.getVector(column);
        return vector.isNull(row) ? null : String.valueOf(vector.getObject(row));
    }

    private static @Nullable List<String> bases(VectorSchemaRoot batch, int row) {
        Object value = batch.getVector(BASES).getObject(row);
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : null;
    }

    /** A reader over the given rows, with the schema of the manifest they will be merged into. */
    static ArrowReader reader(BufferAllocator allocator, Schema schema, List<ManifestEntry> entries)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, bytes)) {
            batch.allocateNew();
            for (int row = 0; row < entries.size(); row++) {
                ManifestEntry entry = entries.get(row);
                set(batch, ID, row, entry.id());
                set(batch, TYPE, row, entry.type());
                set(batch, LOCATION, row, entry.location());
                set(batch, METADATA, row, entry.metadata());
            }
            setBases((ListVector) batch.getVector(BASES), entries);
            batch.setRowCount(entries.size());
            writer.start();
            writer.writeBatch();
            writer.end();
        }
        return new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator);
    }

    private static void set(VectorSchemaRoot batch, String column, int row, @Nullable String value) {
        VarCharVector vector = (VarCharVector) batch.getVector(column);
        if (value == null) {
            vector.setNull(row);
        } else {
            vector.setSafe(row, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void setBases(ListVector vector, List<ManifestEntry> entries) {
        UnionListWriter writer = vector.getWriter();
        for (int row = 0; row < entries.size(); row++) {
            List<String> bases = entries.get(row).baseObjects();
            writer.setPosition(row);
            if (bases == null) {
                writer.writeNull();
                continue;
            }
            writer.startList();
            bases.forEach(base -> writer.writeVarChar(new Text(base)));
            writer.endList();
        }
        writer.setValueCount(entries.size());
    }
}
