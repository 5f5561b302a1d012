package io.rask.catalog.lance;

import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** The rows of one scan. */
final class ScanSource implements RowSource {
    private final LanceScanner scanner;
    private final ArrowReader reader;
    private final @Nullable ScanMeter meter;

    private ScanSource(LanceScanner scanner, ArrowReader reader, @Nullable ScanMeter meter) {
        this.meter = meter;
        this.scanner = scanner;
        this.reader = reader;
    }

    /** @param meter what is told of the scan, whose options must let the library count; null to tell nothing */
    static ScanSource of(Dataset dataset, ScanOptions options, @Nullable ScanMeter meter) throws Exception {
        LanceScanner scanner = dataset.newScan(options);
        try {
            return new ScanSource(scanner, scanner.scanBatches(), meter);
        } catch (Exception | Error e) {
            scanner.close();
            throw e;
        }
    }

    @Override
    public Schema schema() throws Exception {
        return reader.getVectorSchemaRoot().getSchema();
    }

    @Override
    public DictionaryProvider dictionaries() throws Exception {
        reader.getVectorSchemaRoot();
        return reader;
    }

    @Override
    public @Nullable Batch next() throws Exception {
        if (!reader.loadNextBatch()) {
            return null;
        }
        VectorSchemaRoot rows = reader.getVectorSchemaRoot();
        if (meter != null) {
            meter.batch(rows.getRowCount());
        }
        return new Batch(rows, reader, 0, rows.getRowCount(), 0);
    }

    /** The reader goes first: it holds memory of its own even when the scan is closed. */
    @Override
    public void close() throws Exception {
        try (scanner) {
            reader.close();
            if (meter != null) {
                scanner.getStats().ifPresent(meter::scan);
            }
        }
    }
}
