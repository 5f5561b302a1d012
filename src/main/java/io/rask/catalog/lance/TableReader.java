package io.rask.catalog.lance;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.springframework.stereotype.Component;

/** Reads rows of tables: plain, by filter, by nearness to vectors, or by words. */
@Component
public final class TableReader {
    private static final int MOST_VECTORS = 1_000;

    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final ResultLimits limits;

    public TableReader(NativeRuntime runtime, NativeCalls calls, DatasetHandles handles, CatalogProperties properties) {
        this.limits = new ResultLimits(
                properties.limits().resultRows(),
                properties.limits().resultBytes().toBytes());
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
    }

    /**
     * Writes the rows a query asks for as an Arrow file. Nothing is written when the query fails before its first rows.
     *
     * @param table tells where the table lives; asked within the native call that reads it, which saves a change of threads
     * @param read is told the version that is read, before anything is written
     * @param out stays open
     * @throws CatalogException code 13 for a query that makes no sense, 12 for an unknown column, 11 and 22 for an unknown version
     *     or branch, 19 when the table is only declared
     * @throws IOException when the client is gone; the query was stopped
     */
    public void query(Supplier<TableLocation> table, TableQuery query, LongConsumer read, WritableByteChannel out)
            throws IOException {
        checkShape(query);
        SqlText filter = query.filter() == null ? null : SqlText.of(query.filter());
        ClientChannel client = new ClientChannel(out);
        try {
            calls.stream(() -> {
                try (DatasetLease lease = handles.open(table.get(), query.version())) {
                    read.accept(lease.dataset().version());
                    write(lease, query, filter, client);
                    return true;
                }
            });
        } catch (CatalogException e) {
            client.throwIfGone();
            client.breakOff();
            throw e;
        }
    }

    /**
     * Counts the rows of a version.
     *
     * @param filter a SQL expression; null for all rows
     * @param read is told the version that is read
     * @throws CatalogException as {@link #query}
     */
    public long count(TableLocation location, TableVersion version, @Nullable String filter, LongConsumer read) {
        SqlText checked = filter == null ? null : SqlText.of(filter);
        return calls.stream(() -> {
            try (DatasetLease lease = handles.open(location, version)) {
                Dataset dataset = lease.dataset();
                read.accept(dataset.version());
                return checked == null ? dataset.countRows() : dataset.countRows(checked.forFilter());
            } catch (Exception e) {
                throw SqlErrors.translate(e, "The filter");
            }
        });
    }

    static void checkShape(TableQuery query) {
        if (query.limit() < 0 || query.offset() < 0) {
            throw CatalogException.invalid("k and offset must not be negative.");
        }
        if (query.vectorSearch() != null && query.textSearch() != null) {
            throw CatalogException.invalid(
                    "A vector search and a full-text search cannot be one query; send two and combine their results.");
        }
        if (query.vectorSearch() != null) {
            int vectors = query.vectorSearch().vectors().size();
            if (vectors < 1 || vectors > MOST_VECTORS) {
                throw CatalogException.invalid("A vector search takes 1 to " + MOST_VECTORS + " query vectors.");
            }
        }
    }

    private void write(DatasetLease lease, TableQuery query, @Nullable SqlText filter, ClientChannel out) {
        Dataset dataset = lease.dataset();
        Schema schema = lease.schema();
        OutputColumns columns = OutputColumns.of(query, schema);
        VectorSearch search = query.vectorSearch();
        boolean numbered =
                search != null && (search.numbered() || search.vectors().size() > 1);
        ResultFile file = new ResultFile(columns, numbered, runtime.allocator());
        Scans scans = new Scans(lease, query, filter, null);
        if (search == null && query.textSearch() == null && filter == null) {
            limits.requireRows(Math.min(query.limit(), Math.max(0, dataset.countRows() - query.offset())));
        }
        try (RowSource rows =
                new BoundedRows(QueryRows.of(dataset, schema, query, scans, columns, runtime.allocator()), limits)) {
            file.write(rows, out);
        } catch (Exception e) {
            throw SqlErrors.translate(
                    e, query.textSearch() != null ? "The full-text query or its filter" : "The query");
        }
    }
}
