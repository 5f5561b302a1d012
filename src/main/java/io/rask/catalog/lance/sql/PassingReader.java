package io.rask.catalog.lance.sql;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** The batches of another reader, without a copy. What it holds is closed with it, the reader first. */
abstract class PassingReader extends ArrowReader {
    private final ArrowReader rows;
    private final AutoCloseable behind;
    private boolean closed;

    PassingReader(ArrowReader rows, AutoCloseable behind, BufferAllocator allocator) {
        super(allocator);
        this.rows = rows;
        this.behind = behind;
    }

    /** What a failure to read means; recorded by whoever can tell it later: native code passes only its text on. */
    abstract Exception failed(Exception failure);

    /** The columns. */
    public Schema schema() throws IOException {
        return rows.getVectorSchemaRoot().getSchema();
    }

    @Override
    public VectorSchemaRoot getVectorSchemaRoot() throws IOException {
        return rows.getVectorSchemaRoot();
    }

    @Override
    public Map<Long, Dictionary> getDictionaryVectors() throws IOException {
        return rows.getDictionaryVectors();
    }

    @Override
    public Dictionary lookup(long id) {
        return rows.lookup(id);
    }

    @Override
    public Set<Long> getDictionaryIds() {
        return rows.getDictionaryIds();
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        try {
            return rows.loadNextBatch();
        } catch (Exception e) {
            // Native calls throw more than they declare.
            Exception understood = failed(e);
            throw new IOException(understood.getMessage(), understood);
        }
    }

    @Override
    public long bytesRead() {
        return rows.bytesRead();
    }

    @Override
    public void close() throws IOException {
        closeReadSource();
    }

    @Override
    protected void closeReadSource() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            rows.close();
        } finally {
            try {
                behind.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    protected Schema readSchema() throws IOException {
        return schema();
    }
}
