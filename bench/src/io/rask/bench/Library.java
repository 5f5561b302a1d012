package io.rask.bench;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.WriteParams.WriteMode;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.Query;
import org.lance.ipc.ScanOptions;

/** The Lance library in this process: what a server can hope for, since nothing stands between it and the data. */
final class Library {
    private final BufferAllocator allocator;
    private final Place place;

    Library(BufferAllocator allocator, Place place) {
        this.allocator = allocator;
        this.place = place;
    }

    Dataset open(String location) {
        return Dataset.open()
                .allocator(allocator)
                .uri(location)
                .readOptions(new ReadOptions.Builder()
                        .setStorageOptions(Roots.options(place))
                        .build())
                .build();
    }

    /** Writes a stream as a new dataset. */
    void write(String location, ArrowBodies.Body body) throws IOException {
        try (ArrowStreamReader reader = new ArrowStreamReader(body.open(), allocator);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            Data.exportArrayStream(allocator, reader, stream);
            Dataset.write().allocator(allocator).stream(stream)
                    .uri(location)
                    .mode(WriteMode.CREATE)
                    .storageOptions(Roots.options(place))
                    .execute()
                    .close();
        }
    }

    /** The ten nearest rows. */
    static long nearest(Dataset dataset, float[] vector, int nprobes) throws IOException {
        return rows(
                dataset,
                new ScanOptions.Builder()
                        .columns(List.of("id", "_distance"))
                        .prefilter(true)
                        .nearest(new Query.Builder()
                                .setColumn("vector")
                                .setKey(vector)
                                .setK(10)
                                .setMinimumNprobes(nprobes)
                                .setMaximumNprobes(nprobes)
                                .build())
                        .build());
    }

    static long point(Dataset dataset, long id) throws IOException {
        return rows(
                dataset,
                new ScanOptions.Builder()
                        .columns(List.of("id", "text"))
                        .filter("id = " + id)
                        .limit(1)
                        .build());
    }

    static long everything(Dataset dataset) throws IOException {
        return rows(dataset, new ScanOptions.Builder().build());
    }

    private static long rows(Dataset dataset, ScanOptions options) throws IOException {
        long rows = 0;
        try (LanceScanner scanner = dataset.newScan(options);
                ArrowReader reader = scanner.scanBatches()) {
            while (reader.loadNextBatch()) {
                rows += reader.getVectorSchemaRoot().getRowCount();
            }
            return rows;
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(Optional.ofNullable(e.getMessage()).orElse("The scan failed"), e);
        }
    }
}
