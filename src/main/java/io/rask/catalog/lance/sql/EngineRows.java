package io.rask.catalog.lance.sql;

import io.rask.catalog.problem.CatalogException;
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

    @Override
    CatalogException failed(Exception cause) {
        CatalogException understood = errors.understood(cause);
        failure = understood;
        return understood;
    }
}
