package io.rask.catalog.lance.sql;

import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.sql.ResultSet;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;

/** The answer to a query, batch by batch. */
public final class EngineRows extends PassingReader {
    private final EngineErrors errors;
    private @Nullable CatalogException failure;

    EngineRows(ArrowReader rows, ResultSet result, EngineErrors errors, BufferAllocator allocator) {
        super(rows, result, allocator);
        this.errors = errors;
    }

    /** Why the engine stopped, when it stopped with a failure. */
    public Optional<CatalogException> failure() {
        return Optional.ofNullable(failure);
    }

    /** What comes after the engine was told to stop does not count: within a step it does not hear it. */
    @Override
    public boolean loadNextBatch() throws IOException {
        boolean more = super.loadNextBatch();
        Optional<CatalogException> ended = errors.ended();
        if (ended.isPresent()) {
            failure = ended.get();
            throw new IOException(ended.get().getMessage(), ended.get());
        }
        return more;
    }

    @Override
    CatalogException failed(Exception cause) {
        CatalogException understood = errors.understood(cause);
        failure = understood;
        return understood;
    }
}
