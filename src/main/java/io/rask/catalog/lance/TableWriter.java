package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.lance.arrow.IpcLimits;
import io.rask.catalog.lance.arrow.IpcReader;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.WriteParams.WriteMode;
import org.lance.operation.Append;
import org.lance.operation.Operation;
import org.lance.operation.Overwrite;
import org.springframework.stereotype.Component;

/**
 * Writes Arrow streams into tables. Rows go through in batches and are committed at the end in one step: a stream that breaks off
 * leaves the table as it was. The body is never held as a whole.
 */
@Component
public final class TableWriter {
    private static final int FIRST_WRITE_LOCKS = 64;
    private static final long FIRST_WRITE_WAIT_SECONDS = 10;

    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final IpcLimits limits;
    private final FirstWrites firstWrites;
    private final RowCommits commits;
    private final ReentrantLock[] firstWriteLocks = new ReentrantLock[FIRST_WRITE_LOCKS];

    TableWriter(
            NativeRuntime runtime,
            NativeCalls calls,
            DatasetHandles handles,
            FirstWrites firstWrites,
            RowCommits commits,
            CatalogProperties properties) {
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
        this.firstWrites = firstWrites;
        this.commits = commits;
        this.limits = IpcLimits.ofBatch(properties.limits().arrowBatch().toBytes());
        for (int i = 0; i < firstWriteLocks.length; i++) {
            firstWriteLocks[i] = new ReentrantLock();
        }
    }

    /**
     * Makes a table of a stream; a stream without batches makes an empty one.
     *
     * @throws CatalogException code 13 when the body is no Arrow stream or breaks off, 20 when a column cannot be stored, 5 when
     *     the location holds a table already
     */
    public WriteResult create(TableLocation location, InputStream body) {
        ClientBody client = new ClientBody(body);
        try {
            return calls.stream(() -> {
                try (IpcReader stream = open(client)) {
                    return createFrom(location, stream);
                }
            });
        } finally {
            client.end();
        }
    }

    /**
     * Writes a stream into a table. A table that is only declared is created. Appending no row makes no version.
     *
     * @param branch null or {@code main} for the main branch
     * @throws CatalogException code 13 or 20 when the stream does not fit the table, 22 for an unknown branch, 14 when another
     *     writer was first
     */
    public WriteResult insert(TableLocation location, @Nullable String branch, InsertMode mode, InputStream body) {
        TableVersion target = TableVersion.ofBranch(branch);
        ClientBody client = new ClientBody(body);
        try {
            return calls.stream(() -> {
                try (IpcReader stream = open(client)) {
                    Optional<DatasetLease> existing = handles.find(location, target);
                    if (existing.isEmpty()) {
                        return first(location, target, mode, stream);
                    }
                    try (DatasetLease lease = existing.get()) {
                        return into(location, target, lease.dataset(), mode, stream);
                    }
                }
            });
        } finally {
            client.end();
        }
    }

    private IpcReader open(InputStream body) {
        return IpcReader.open(body, runtime.allocator(), limits);
    }

    /** The first insert creates the table; others that come at the same time wait for it and then add to it. */
    private WriteResult first(TableLocation location, TableVersion target, InsertMode mode, IpcReader stream)
            throws Exception {
        if (target.branch() != null) {
            throw noBranchYet(target);
        }
        ReentrantLock lock = firstWriteLocks[Math.floorMod(location.uri().hashCode(), FIRST_WRITE_LOCKS)];
        if (!lock.tryLock(FIRST_WRITE_WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION, "Another first insert into the table is running; try again.");
        }
        try {
            Optional<DatasetLease> existing = handles.find(location, target);
            if (existing.isEmpty()) {
                try (FittedReader rows = FittedReader.asTable(stream, runtime.allocator(), limits)) {
                    return firstWrites.write(location, rows);
                } catch (Exception e) {
                    throw refused(e, ErrorCode.CONCURRENT_MODIFICATION);
                }
            }
            try (DatasetLease lease = existing.get()) {
                return into(location, target, lease.dataset(), mode, stream);
            }
        } finally {
            lock.unlock();
        }
    }

    static CatalogException noBranchYet(TableVersion target) {
        return CatalogException.of(
                ErrorCode.TABLE_BRANCH_NOT_FOUND,
                "The table has no branch '" + target.branch() + "': it is declared but holds no data yet.");
    }

    private WriteResult createFrom(TableLocation location, IpcReader stream) throws Exception {
        Optional<DatasetLease> taken = handles.find(location, TableVersion.LATEST);
        if (taken.isPresent()) {
            taken.get().close();
            throw CatalogException.of(
                    ErrorCode.TABLE_ALREADY_EXISTS, "The location of the table holds a table already.");
        }
        try (FittedReader rows = FittedReader.asTable(stream, runtime.allocator(), limits)) {
            Schema schema = rows.getVectorSchemaRoot().getSchema();
            return new WriteResult(commits.create(location, schema, commits.files(location, rows)), rows.rows());
        } catch (Exception e) {
            throw refused(e, ErrorCode.TABLE_ALREADY_EXISTS);
        }
    }

    private WriteResult into(
            TableLocation location, TableVersion target, Dataset dataset, InsertMode mode, IpcReader stream)
            throws Exception {
        boolean append = mode == InsertMode.APPEND;
        try (FittedReader rows = append
                ? FittedReader.toTable(stream, dataset.getSchema(), runtime.allocator(), limits)
                : FittedReader.asTable(stream, runtime.allocator(), limits)) {
            List<FragmentMetadata> files =
                    commits.files(location, dataset, append ? WriteMode.APPEND : WriteMode.OVERWRITE, rows);
            if (append && files.isEmpty()) {
                return new WriteResult(dataset.version(), 0);
            }
            Operation change = append
                    ? new Append.Builder().fragments(files).build()
                    : Overwrite.builder()
                            .fragments(files)
                            .schema(rows.getVectorSchemaRoot().getSchema())
                            .build();
            return new WriteResult(commits.commit(dataset, location, target, change), rows.rows());
        } catch (Exception e) {
            throw refused(e, ErrorCode.CONCURRENT_MODIFICATION);
        }
    }

    private static CatalogException refused(Exception e, ErrorCode taken) {
        if (e instanceof CatalogException known) {
            return known;
        }
        return switch (NativeErrors.cause(e)) {
            case EXISTS ->
                taken == ErrorCode.TABLE_ALREADY_EXISTS
                        ? CatalogException.of(taken, "The location of the table holds a table already.", e)
                        : CatalogException.of(
                                taken, "Another writer created the table at the same time; try again.", e);
            case INVALID ->
                CatalogException.of(
                        ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR,
                        "The table does not accept the data: " + NativeText.reason(e) + ".",
                        e);
            default -> unexpected(e);
        };
    }

    private static CatalogException unexpected(Exception e) {
        String text = NativeErrors.text(e);
        if (text.contains("different schema")) {
            return CatalogException.of(
                    ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR,
                    "The table does not accept the columns of the stream: " + NativeText.reason(e) + ".",
                    e);
        }
        return text.contains("invalid argument error")
                ? CatalogException.of(
                        ErrorCode.INVALID_INPUT, "The table does not accept the data: " + NativeText.reason(e) + ".", e)
                : NativeErrors.translate(e);
    }
}
