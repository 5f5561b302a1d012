package io.rask.catalog.lance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The values of one fragment after the other, each with as many rows as the fragment has places: a row that was deleted gets the
 * value of a neighbour, which nobody will see.
 */
final class FragmentRows implements AutoCloseable {
    private static final int BATCH = 8_192;

    private final OrderedRows rows;
    private final BufferAllocator allocator;
    private final List<Field> values;
    private @Nullable VectorSchemaRoot batch;
    private int row;

    /** @param values the columns of the rows that are wanted, in order */
    FragmentRows(OrderedRows rows, List<Field> values, BufferAllocator allocator) {
        this.rows = rows;
        this.values = values;
        this.allocator = allocator;
    }

    /** The rows of a fragment, which must be the one whose rows come next. */
    Reader of(int fragment, long places) {
        return new Reader(fragment, places);
    }

    /** Whether all rows have been taken. */
    boolean isDone() throws IOException {
        return !hasRow();
    }

    private boolean hasRow() throws IOException {
        if (batch == null || row == batch.getRowCount()) {
            batch = rows.next();
            row = 0;
        }
        return batch != null;
    }

    private long address() {
        return ((UInt8Vector) batch().getVector(UpdatePlan.ADDRESS)).get(row);
    }

    private VectorSchemaRoot batch() {
        if (batch == null) {
            throw new IllegalStateException("there is no row");
        }
        return batch;
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }

    /** One fragment's rows as a stream of their own. */
    final class Reader extends ArrowReader {
        private final int fragment;
        private final long places;
        /** The values of the last row, for the places behind it. */
        private final VectorSchemaRoot last = VectorSchemaRoot.create(new Schema(values), allocator);

        private long at;
        private long live;

        private Reader(int fragment, long places) {
            super(FragmentRows.this.allocator);
            this.fragment = fragment;
            this.places = places;
            // Arrow allocates nothing for an empty text that is copied into a vector of views, and then writes to it.
            last.getFieldVectors().forEach(vector -> vector.setInitialCapacity(1));
            last.allocateNew();
        }

        /** How many rows that are there have passed. */
        long live() {
            return live;
        }

        @Override
        public boolean loadNextBatch() throws IOException {
            prepareLoadNextBatch();
            if (at == places) {
                return false;
            }
            VectorSchemaRoot to = getVectorSchemaRoot();
            to.getFieldVectors().forEach(FieldVector::clear);
            int count = whole() ? transfer(to) : copy(to);
            to.setRowCount(count);
            for (int i = 0; i < values.size(); i++) {
                last.getVector(i).copyFromSafe(count - 1, 0, to.getVector(i));
            }
            return true;
        }

        private boolean mine() throws IOException {
            return hasRow() && (int) (address() >>> 32) == fragment;
        }

        /** Whether a whole batch fits in as it is. */
        private boolean whole() throws IOException {
            if (!mine() || row != 0 || (int) address() != at) {
                return false;
            }
            int last = batch().getRowCount() - 1;
            long end = ((UInt8Vector) batch().getVector(UpdatePlan.ADDRESS)).get(last);
            return (int) (end >>> 32) == fragment && (int) end == at + last && at + last < places;
        }

        private int transfer(VectorSchemaRoot to) throws IOException {
            int count = batch().getRowCount();
            List<FieldVector> from = vectors();
            for (int i = 0; i < from.size(); i++) {
                from.get(i).makeTransferPair(to.getVector(i)).transfer();
            }
            row = count;
            at += count;
            live += count;
            return count;
        }

        private List<FieldVector> vectors() {
            List<FieldVector> vectors = new ArrayList<>();
            values.forEach(value -> vectors.add(batch().getVector(value.getName())));
            return vectors;
        }

        private int copy(VectorSchemaRoot to) throws IOException {
            int count = 0;
            to.allocateNew();
            while (count < BATCH && at < places) {
                boolean mine = mine();
                long offset = mine ? address() & 0xffff_ffffL : places;
                if (offset < at || offset > places || mine && offset == places) {
                    throw new IOException("the rows of a fragment are out of order");
                }
                if (mine) {
                    List<FieldVector> from = vectors();
                    for (int i = 0; i < from.size(); i++) {
                        to.getVector(i).copyFromSafe(row, count, from.get(i));
                    }
                } else {
                    for (int i = 0; i < values.size(); i++) {
                        FieldVector vector = to.getVector(i);
                        vector.copyFromSafe(count > 0 ? count - 1 : 0, count, count > 0 ? vector : last.getVector(i));
                    }
                }
                if (offset == at) {
                    row++;
                    live++;
                }
                at++;
                count++;
            }
            return count;
        }

        @Override
        public long bytesRead() {
            return 0;
        }

        @Override
        protected void closeReadSource() {
            last.close();
        }

        @Override
        protected Schema readSchema() {
            return new Schema(values);
        }
    }
}
