package io.rask.catalog.lance.sql;

import io.rask.catalog.problem.CatalogException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

/**
 * One query in the engine, from its tables to its last row. What the engine reads from is closed after the engine, or the process
 * ends.
 */
public final class SqlSession implements AutoCloseable {
    private static final int BATCH_ROWS = 8_192;

    private final DuckDBConnection connection;
    private final Statement statement;
    private final BufferAllocator allocator;
    private final EngineErrors errors = new EngineErrors();
    private final EngineWatch watch;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private int tables;

    SqlSession(DuckDBConnection connection, BufferAllocator allocator, Runnable checkpoint, Duration most)
            throws SQLException {
        this.connection = connection;
        this.allocator = allocator;
        this.statement = connection.createStatement();
        this.watch = EngineWatch.over(statement, checkpoint, most, errors);
    }

    /** The name of a table in the engine, by its place in the query. */
    static String table(int number) {
        return "t" + number;
    }

    /**
     * Gives the query its next table.
     *
     * @param rows read once, and closed with the session, like what is behind it
     * @param translation what a failure to read them means
     */
    public void add(ArrowReader rows, AutoCloseable behind, Function<Exception, CatalogException> translation)
            throws SQLException {
        SourceRows source = new SourceRows(rows, behind, errors, translation, allocator);
        open.addLast(source);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
        open.addFirst(stream);
        Data.exportArrayStream(allocator, source, stream);
        connection.registerArrowStream(table(tables++), stream);
    }

    /**
     * Runs the query.
     *
     * @throws CatalogException code 13 when it cannot be run, 12 for a column that is not there
     */
    public EngineRows run(SelectQuery query) {
        try {
            ResultSet result = statement.executeQuery(query.text());
            ArrowReader rows =
                    (ArrowReader) result.unwrap(DuckDBResultSet.class).arrowExportStream(allocator, BATCH_ROWS);
            return new EngineRows(rows, result, errors, allocator);
        } catch (SQLException e) {
            throw errors.understood(e);
        }
    }

    @Override
    public void close() throws Exception {
        try (connection;
                statement;
                watch) {
            // The watch must not speak to an engine that is closed.
        } finally {
            closeAll();
        }
    }

    /** The streams before what they read from. */
    private void closeAll() throws Exception {
        Exception first = null;
        for (AutoCloseable each : open) {
            try {
                each.close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
