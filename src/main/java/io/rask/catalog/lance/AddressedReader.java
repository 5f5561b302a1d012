package io.rask.catalog.lance;

import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows with their addresses: notes which rows of which fragment have passed, and passes the other columns on. */
final class AddressedReader extends ArrowReader {
    private final ArrowReader rows;
    private final Map<Integer, BitSet> offsets = new HashMap<>();
    private long count;
    private boolean repeated;
    private boolean closed;

    AddressedReader(ArrowReader rows, BufferAllocator allocator) {
        super(allocator);
        this.rows = rows;
    }

    /** The rows that passed, as offsets by fragment. */
    Map<Integer, BitSet> offsets() {
        return offsets;
    }

    long count() {
        return count;
    }

    /** Whether a row passed twice, which would count it twice. */
    boolean repeated() {
        return repeated;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        if (!rows.loadNextBatch()) {
            return false;
        }
        VectorSchemaRoot batch = rows.getVectorSchemaRoot();
        UInt8Vector addresses = (UInt8Vector) batch.getVector(UpdatePlan.ADDRESS);
        for (int i = 0; i < batch.getRowCount(); i++) {
            long address = addresses.get(i);
            BitSet fragment = offsets.computeIfAbsent((int) (address >>> 32), id -> new BitSet());
            int offset = (int) address;
            repeated |= fragment.get(offset);
            fragment.set(offset);
            count++;
        }
        return true;
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
    public long bytesRead() {
        return rows.bytesRead();
    }

    @Override
    protected void closeReadSource() throws IOException {
        rows.close();
    }

    /** Once only: the export of a stream closes its reader too, and the rows cannot be closed twice. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            closeReadSource();
        }
    }

    @Override
    protected Schema readSchema() throws IOException {
        return rows.getVectorSchemaRoot().getSchema();
    }
}
