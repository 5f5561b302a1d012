package io.rask.catalog.lance.sql;

import io.rask.catalog.problem.CatalogException;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** The rows of a table on their way into the engine. */
final class SourceRows extends PassingReader {
    private final EngineErrors errors;
    private final Function<Exception, CatalogException> translation;

    SourceRows(
            ArrowReader rows,
            AutoCloseable scanner,
            EngineErrors errors,
            Function<Exception, CatalogException> translation,
            BufferAllocator allocator) {
        super(rows, scanner, allocator);
        this.errors = errors;
        this.translation = translation;
    }

    @Override
    CatalogException failed(Exception cause) {
        CatalogException understood = translation.apply(cause);
        errors.ended(understood);
        return understood;
    }
}
