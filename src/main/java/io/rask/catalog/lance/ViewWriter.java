package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.lance.arrow.IpcLimits;
import io.rask.catalog.lance.arrow.SchemaText;
import io.rask.catalog.lance.sql.EngineRows;
import io.rask.catalog.lance.sql.SelectQuery;
import io.rask.catalog.lance.sql.SqlEngine;
import io.rask.catalog.lance.sql.SqlSession;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.Leases;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.WriteFragmentBuilder;
import org.lance.WriteParams.WriteMode;
import org.lance.operation.Append;
import org.lance.operation.Overwrite;
import org.lance.operation.UpdateConfig;
import org.lance.operation.UpdateMap;
import org.springframework.stereotype.Component;

/**
 * Writes the rows of queries into the tables of views. What the view holds and what it says of itself change in one commit, or in two
 * of which the second alone makes the first count.
 */
@Component
public final class ViewWriter {
    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final RowCommits commits;
    private final SqlEngine engine;
    private final LocationLeases leases;
    private final IpcLimits limits;

    ViewWriter(
            NativeRuntime runtime,
            NativeCalls calls,
            DatasetHandles handles,
            RowCommits commits,
            SqlEngine engine,
            Leases leases,
            Clock clock,
            CatalogProperties properties) {
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
        this.commits = commits;
        this.engine = engine;
        this.leases = new LocationLeases(leases, clock, properties.jobs().viewLease());
        this.limits = IpcLimits.ofBatch(properties.limits().arrowBatch().toBytes());
    }

    /**
     * A table that a query reads.
     *
     * @param fragments the only fragments that are read; null for all
     */
    public record Source(
            TableLocation location, long version, @Nullable List<Integer> fragments) {}

    /**
     * A query to run.
     *
     * @param sources one for each table that the query names, in its order
     * @param fragmentRows how many rows one file may have; null for the library's own choice
     * @param checkpoint called between steps and while the engine works; what it throws ends the work
     * @param beforeCommit called before each commit; what it throws keeps the commit from happening
     */
    public record Work(
            SelectQuery query,
            List<Source> sources,
            @Nullable Long fragmentRows,
            Runnable checkpoint,
            Runnable beforeCommit) {}

    private interface Use<T> {
        T of(EngineRows rows) throws Exception;
    }

    /**
     * Makes the table of a view where nothing is.
     *
     * @param columns an Arrow schema in Base64 that the rows must fit; null to take the columns of the query
     * @param withRows whether it gets the rows of the query, or none
     * @param metadata what the schema is to say, by the number of rows
     * @throws CatalogException code 13 for a query that fails or needs too much, 20 when rows and columns do not fit
     */
    public WriteResult create(
            TableLocation place,
            Work work,
            @Nullable String columns,
            boolean withRows,
            LongFunction<Map<String, String>> metadata) {
        return run(work, withRows, rows -> {
            requireDistinct(rows.schema());
            Schema schema = columns == null
                    ? SchemaText.table(rows.schema())
                    : SchemaText.read(columns, runtime.allocator(), limits);
            requireColumns(rows.schema(), schema);
            try (FittedReader fitted = FittedReader.toTable(rows, schema, runtime.allocator(), limits)) {
                List<FragmentMetadata> files = withRows
                        ? files(Fragment.write().datasetUri(place.uri()).mode(WriteMode.CREATE), place, fitted, work)
                        : List.of();
                work.beforeCommit().run();
                Map<String, String> says = metadata.apply(fitted.rows());
                return new WriteResult(
                        commits.create(place, new Schema(schema.getFields(), says), files, Overwriting.plain()),
                        fitted.rows());
            }
        });
    }

    /**
     * Replaces the rows of a view. Columns of the query that the view has not are left out.
     *
     * @param base the version of the view that was looked at before it was settled which versions of the sources are read: rows that
     *     came after it may be newer
     * @param metadata what the schema is to say beside what it says already, by version and number of rows
     * @throws CatalogException as {@link #create}; code 14 when somebody else changed the view meanwhile
     */
    public WriteResult replace(TableLocation view, long base, Work work, Said metadata) {
        return run(work, true, rows -> {
            try (DatasetLease lease = handles.open(view, TableVersion.LATEST);
                    FittedReader fitted = fitted(rows, lease.schema(), work.query())) {
                Dataset before = lease.dataset();
                List<FragmentMetadata> files = files(writing(before, WriteMode.OVERWRITE), view, fitted, work);
                try (LocationLeases.Held turn = turn(view);
                        DatasetLease now = unchanged(view, base)) {
                    Map<String, String> says = new HashMap<>(custom(now.schema()));
                    says.putAll(metadata.of(now.dataset().version() + 1, fitted.rows()));
                    Overwrite change = Overwrite.builder()
                            .fragments(files)
                            .schema(new Schema(plain(now.schema()), says))
                            .build();
                    work.beforeCommit().run();
                    turn.require();
                    return new WriteResult(
                            commits.commit(now.dataset(), view, TableVersion.LATEST, change), fitted.rows());
                }
            }
        });
    }

    /**
     * Adds rows to those of a view; then, in a commit of its own, what the view says of itself. Between the two it has rows that it
     * does not speak of, which {@link ViewVersions#unchanged} tells.
     *
     * @param base the version of the view whose rows the new ones come on top of
     * @throws CatalogException as {@link #replace}
     */
    public WriteResult append(TableLocation view, long base, Work work, Said metadata) {
        return run(work, true, rows -> {
            try (DatasetLease lease = handles.open(view, TableVersion.LATEST);
                    FittedReader fitted = fitted(rows, lease.schema(), work.query())) {
                List<FragmentMetadata> files = files(writing(lease.dataset(), WriteMode.APPEND), view, fitted, work);
                try (LocationLeases.Held turn = turn(view)) {
                    long version = added(view, base, files, work, turn);
                    return new WriteResult(
                            said(view, version, metadata.of(version, fitted.rows()), work), fitted.rows());
                }
            }
        });
    }

    /** What a view says of itself once its rows are there. */
    public interface Said {
        Map<String, String> of(long rowsVersion, long rows);
    }

    private long added(TableLocation view, long base, List<FragmentMetadata> files, Work work, LocationLeases.Held turn)
            throws Exception {
        try (DatasetLease now = unchanged(view, base)) {
            Dataset dataset = now.dataset();
            if (files.isEmpty()) {
                return dataset.version();
            }
            work.beforeCommit().run();
            turn.require();
            long version = commits.commit(
                    dataset,
                    view,
                    TableVersion.LATEST,
                    Append.builder().fragments(files).build());
            if (version != dataset.version() + 1) {
                throw changed();
            }
            return version;
        }
    }

    private long said(TableLocation view, long rowsVersion, Map<String, String> says, Work work) throws Exception {
        try (DatasetLease now = unchanged(view, rowsVersion)) {
            UpdateConfig change = UpdateConfig.builder()
                    .schemaMetadataUpdates(
                            UpdateMap.builder().updates(says).replace(false).build())
                    .build();
            work.beforeCommit().run();
            return commits.commit(now.dataset(), view, TableVersion.LATEST, change);
        }
    }

    private LocationLeases.Held turn(TableLocation view) {
        return leases.acquire("view-refresh", view, "Another refresh of the view is at its end; try again.");
    }

    /** The view as it is now, if its rows are those of a version still. */
    private DatasetLease unchanged(TableLocation view, long version) {
        DatasetLease now = handles.open(view, TableVersion.LATEST);
        if (!ViewVersions.unchanged(now.dataset(), version)) {
            now.close();
            throw changed();
        }
        return now;
    }

    private static CatalogException changed() {
        return CatalogException.of(
                ErrorCode.CONCURRENT_MODIFICATION,
                "The view was changed by another writer at the same time; try again.");
    }

    /**
     * A column that only the query has is one that its source got after the view was made. It can be left out where the others do not
     * depend on it.
     */
    private FittedReader fitted(EngineRows rows, Schema view, SelectQuery query) throws Exception {
        requireDistinct(rows.schema());
        Set<String> more = new TreeSet<>();
        rows.schema().getFields().forEach(field -> more.add(field.getName()));
        view.getFields().forEach(field -> more.remove(field.getName()));
        requireColumns(rows.schema(), view);
        if (!more.isEmpty() && !query.rowWise()) {
            throw misfit("The query has the column '" + more.iterator().next()
                    + "', which the view has not and on which the rows of such a query may depend. Make the view anew, with a query"
                    + " that names its columns.");
        }
        return FittedReader.toTable(rows, more, new Schema(plain(view), custom(view)), runtime.allocator(), limits);
    }

    /** What a client leaves out of a stream is null; what a query lacks is a mistake. */
    private static void requireColumns(Schema rows, Schema view) {
        for (Field field : view.getFields()) {
            if (rows.getFields().stream().noneMatch(given -> given.getName().equals(field.getName()))) {
                throw misfit("The query has no column '" + field.getName() + "', which the view has.");
            }
        }
    }

    private static void requireDistinct(Schema rows) {
        Set<String> names = new HashSet<>();
        for (Field field : rows.getFields()) {
            if (!names.add(field.getName())) {
                throw misfit("The query has two columns '" + field.getName() + "'; give one another name.");
            }
        }
    }

    private static CatalogException misfit(String message) {
        return CatalogException.of(ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR, message);
    }

    private static List<Field> plain(Schema schema) {
        return schema.getFields().stream().map(ColumnIds::without).toList();
    }

    private static Map<String, String> custom(Schema schema) {
        Map<String, String> custom = schema.getCustomMetadata();
        return custom == null ? Map.of() : custom;
    }

    private static WriteFragmentBuilder writing(Dataset table, WriteMode mode) {
        return Fragment.write()
                .datasetUri(table.uri())
                .mode(mode)
                .dataStorageVersion(table.getLanceFileFormatVersion());
    }

    private List<FragmentMetadata> files(
            WriteFragmentBuilder write, TableLocation location, FittedReader rows, Work work) throws Exception {
        if (work.fragmentRows() != null) {
            write.maxRowsPerFile(Math.toIntExact(work.fragmentRows()));
        }
        return commits.files(write, location, rows);
    }

    private <T> T run(Work work, boolean withRows, Use<T> use) {
        try {
            return calls.stream(() -> {
                List<DatasetLease> tables = new ArrayList<>();
                try (SqlSession session = engine.open(runtime.allocator(), work.checkpoint())) {
                    for (Source source : work.sources()) {
                        tables.add(handles.open(source.location(), new TableVersion(null, source.version())));
                    }
                    for (int i = 0; i < tables.size(); i++) {
                        ViewScans.add(
                                session,
                                tables.get(i),
                                work.query(),
                                work.sources().get(i).fragments(),
                                withRows,
                                runtime.allocator(),
                                limits);
                    }
                    return result(session, work, use);
                } finally {
                    tables.forEach(DatasetLease::close);
                }
            });
        } catch (CatalogException e) {
            // Whoever ended the work has the better reason.
            work.checkpoint().run();
            throw e;
        }
    }

    private static <T> T result(SqlSession session, Work work, Use<T> use) throws Exception {
        try (EngineRows rows = session.run(work.query())) {
            try {
                return use.of(rows);
            } catch (Exception e) {
                throw rows.failure().<Exception>map(known -> known).orElse(e);
            }
        }
    }
}
