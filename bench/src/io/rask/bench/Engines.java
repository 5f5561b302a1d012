package io.rask.bench;

import io.rask.bench.Comparison.Side;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** The engine of views over streams of the library, against the library's own engine, where both can answer. */
final class Engines {
    private static final int ROWS = 10_000;
    private static final int TIMES = 100;
    private static final int DIMENSIONS = 8;
    private static final int BATCH_ROWS = 8_192;

    private final BufferAllocator allocator;
    private final Comparison comparison;
    private final Report report;

    Engines(BufferAllocator allocator, Comparison comparison, Report report) {
        this.allocator = allocator;
        this.comparison = comparison;
        this.report = report;
    }

    /** @param columns what the query reads, which is all that is scanned for the engine of views */
    private record Question(String name, String sql, List<String> columns) {
        String over(String table) {
            return sql.formatted(table);
        }
    }

    void run(Place place) throws IOException {
        Library library = new Library(allocator, place);
        String location = place.child("rows").address();
        library.write(location, ArrowBodies.repeated(allocator, 0, ROWS, DIMENSIONS, TIMES));
        report.title(
                "One query over %,d rows: the engine of views, and the library's own, disk".formatted(ROWS * TIMES));
        report.rates("library's engine");
        try (Dataset rows = library.open(location)) {
            for (Question question : List.of(
                    new Question(
                            "a tenth of the rows", "SELECT id, text FROM %s WHERE id %% 10 = 3", List.of("id", "text")),
                    new Question(
                            "groups of rows",
                            "SELECT id %% 1000 AS part, count(*) AS many, max(text) AS last FROM %s GROUP BY id %% 1000",
                            List.of("id", "text")))) {
                report.rate(
                        question.name(),
                        comparison.of(
                                1,
                                new Side("views", (thread, turn) -> views(rows, question)),
                                new Side("library", (thread, turn) -> library(rows, question))));
            }
        }
    }

    private void library(Dataset rows, Question question) throws IOException {
        try (ArrowReader answer = rows.sql(question.over("dataset")).intoBatchRecords()) {
            require(answer);
        }
    }

    private void views(Dataset rows, Question question) throws IOException {
        try (LanceScanner scanner = rows.newScan(
                        new ScanOptions.Builder().columns(question.columns()).build());
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
                DuckDBConnection connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            // The stream closes what it reads from; closed a second time, that fails.
            Data.exportArrayStream(allocator, scanner.scanBatches(), stream);
            connection.registerArrowStream("source", stream);
            try (ResultSet result = statement.executeQuery(question.over("source"));
                    ArrowReader answer = (ArrowReader)
                            result.unwrap(DuckDBResultSet.class).arrowExportStream(allocator, BATCH_ROWS)) {
                require(answer);
            }
        } catch (SQLException e) {
            throw new IOException(e);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static void require(ArrowReader answer) throws IOException {
        long rows = 0;
        while (answer.loadNextBatch()) {
            rows += answer.getVectorSchemaRoot().getRowCount();
        }
        if (rows == 0) {
            throw new IOException("The query answered nothing.");
        }
    }
}
