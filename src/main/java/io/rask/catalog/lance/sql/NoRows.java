package io.rask.catalog.lance.sql;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** The columns of a table without its rows. */
public final class NoRows extends ArrowReader {
    private final Schema schema;

    public NoRows(Schema schema, BufferAllocator allocator) {
        super(allocator);
        this.schema = schema;
    }

    @Override
    public boolean loadNextBatch() {
        return false;
    }

    @Override
    public long bytesRead() {
        return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
        return schema;
    }
}
