package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.util.TransferPair;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a result in the order of its rows. The engine computes expressions of several batches at the same time and hands
 * them over as they are done; a column with the number of each row puts them in order again.
 */
final class OrderedRows implements AutoCloseable {
    /** How many batches may be early. They are as many as the engine has threads, give or take a few. */
    private static final int MOST_EARLY = 512;

    private final ArrowReader rows;
    private final String order;
    private final BufferAllocator allocator;
    private final TreeMap<Long, VectorSchemaRoot> early = new TreeMap<>();
    private @Nullable VectorSchemaRoot current;
    private long next = 1;

    /** @param order the column that numbers the rows from 1 */
    OrderedRows(ArrowReader rows, String order, BufferAllocator allocator) {
        this.rows = rows;
        this.order = order;
        this.allocator = allocator;
    }

    /** The next batch, which has rows; null at the end. It is good until the next call. */
    @Nullable
    VectorSchemaRoot next() throws IOException {
        release();
        while (early.isEmpty() || early.firstKey() != next) {
            if (!rows.loadNextBatch()) {
                if (!early.isEmpty()) {
                    throw new IOException("the engine left rows out");
                }
                return null;
            }
            keep(rows.getVectorSchemaRoot());
        }
        VectorSchemaRoot batch = early.pollFirstEntry().getValue();
        next += batch.getRowCount();
        current = batch;
        return batch;
    }

    private void keep(VectorSchemaRoot batch) throws IOException {
        if (batch.getRowCount() == 0) {
            return;
        }
        if (early.size() == MOST_EARLY) {
            throw new IOException(CatalogException.of(
                    ErrorCode.THROTTLING, "The server is too busy to keep the rows in order; try again."));
        }
        long first = ((UInt8Vector) batch.getVector(order)).get(0);
        List<FieldVector> taken = new ArrayList<>();
        for (FieldVector vector : batch.getFieldVectors()) {
            TransferPair pair = vector.getTransferPair(allocator);
            pair.transfer();
            taken.add((FieldVector) pair.getTo());
        }
        VectorSchemaRoot kept = new VectorSchemaRoot(taken);
        kept.setRowCount(batch.getRowCount());
        early.put(first, kept);
    }

    private void release() {
        if (current != null) {
            current.close();
            current = null;
        }
    }

    @Override
    public void close() throws IOException {
        release();
        early.values().forEach(VectorSchemaRoot::close);
        early.clear();
        rows.close();
    }
}
