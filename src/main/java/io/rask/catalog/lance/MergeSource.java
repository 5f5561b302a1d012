package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows that a merge brings, taken in before the merge begins: so a slow client keeps no other merge waiting, a key that comes
 * twice is found before anything is written, and a merge that met another writer can be done again.
 */
final class MergeSource implements AutoCloseable {
    private final SpillStream bytes;
    private final Schema schema;
    private final long rows;
    private final boolean nullKeys;

    private MergeSource(SpillStream bytes, Schema schema, long rows, boolean nullKeys) {
        this.bytes = bytes;
        this.schema = schema;
        this.rows = rows;
        this.nullKeys = nullKeys;
    }

    /**
     * Reads a stream to its end.
     *
     * @param keys names of columns of the stream
     * @throws CatalogException code 13 when a key comes twice, and whatever is wrong with the stream
     */
    static MergeSource read(FittedReader reader, List<String> keys, long mostBytes) throws IOException {
        SpillStream bytes = new SpillStream(mostBytes);
        boolean done = false;
        try {
            MergeKeys seen = new MergeKeys(keys);
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            try (ArrowStreamWriter writer = new ArrowStreamWriter(root, reader, Channels.newChannel(bytes))) {
                writer.start();
                while (reader.loadNextBatch()) {
                    seen.accept(root);
                    writer.writeBatch();
                }
                writer.end();
            }
            done = true;
            return new MergeSource(bytes, reader.schema(), reader.rows(), seen.hasNullKeys());
        } catch (IOException e) {
            throw reader.failure().<RuntimeException>map(known -> known).orElseGet(() -> NativeErrors.translate(e));
        } finally {
            if (!done) {
                bytes.discard();
            }
        }
    }

    Schema schema() {
        return schema;
    }

    long rows() {
        return rows;
    }

    /** Whether some row has a null in its key. */
    boolean hasNullKeys() {
        return nullKeys;
    }

    /** The rows from the beginning; one reader at a time. */
    ArrowReader reader(BufferAllocator allocator) throws IOException {
        return new ArrowStreamReader(bytes.read(), allocator);
    }

    @Override
    public void close() throws IOException {
        bytes.discard();
    }
}
