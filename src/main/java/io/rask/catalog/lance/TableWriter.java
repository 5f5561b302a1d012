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
import java.util.function.Consumer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.WriteParams.WriteMode;
import org.lance.operation.Append;
import org.lance.operation.Operation;
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
        Overwriting overwriting = mode == InsertMode.OVERWRITE ? Overwriting.plain() : null;
        return write(location, TableVersion.ofBranch(branch), overwriting, body);
    }

    /**
     * Replaces all rows of a table's main branch, and tells which transaction does so before it is committed.
     *
     * @param announced gets the id of the transaction once the rows are written and nobody sees them yet; what it throws ends the
     *     overwrite. {@link TableInspector#overwrittenBy} tells the id once, and only if, the overwrite has happened
     * @throws CatalogException as {@link #insert}; code 14 as well when another overwrite that was announced came first
     */
    public WriteResult overwrite(TableLocation location, Consumer<String> announced, InputStream body) {
        return write(location, TableVersion.LATEST, Overwriting.announced(announced), body);
    }

    private WriteResult write(
            TableLocation location, TableVersion target, @Nullable Overwriting overwriting, InputStream body) {
        ClientBody client = new ClientBody(body);
        try {
            return calls.stream(() -> {
                try (IpcReader stream = open(client)) {
                    Optional<DatasetLease> existing = handles.find(location, target);
                    if (existing.isEmpty()) {
                        return first(location, target, overwriting, stream);
                    }
                    try (DatasetLease lease = existing.get()) {
                        return into(location, target, lease.dataset(), overwriting, stream);
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
    private WriteResult first(
            TableLocation location, TableVersion target, @Nullable Overwriting overwriting, IpcReader stream)
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
                try (FittedReader rows =
                        FittedReader.asTable(stream, TableMetadata::isReserved, runtime.allocator(), limits)) {
                    return firstWrites.write(location, rows, overwriting);
                } catch (Exception e) {
                    throw refused(e, ErrorCode.CONCURRENT_MODIFICATION);
                }
            }
            try (DatasetLease lease = existing.get()) {
                return into(location, target, lease.dataset(), overwriting, stream);
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
        try (FittedReader rows = FittedReader.asTable(stream, TableMetadata::isReserved, runtime.allocator(), limits)) {
            Schema schema = rows.getVectorSchemaRoot().getSchema();
            List<FragmentMetadata> files = commits.files(location, rows);
            return new WriteResult(commits.create(location, schema, files, Overwriting.plain()), rows.rows());
        } catch (Exception e) {
            throw refused(e, ErrorCode.TABLE_ALREADY_EXISTS);
        }
    }

    private WriteResult into(
            TableLocation location,
            TableVersion target,
            Dataset dataset,
            @Nullable Overwriting overwriting,
            IpcReader stream)
            throws Exception {
        try (FittedReader rows = overwriting == null
                ? FittedReader.toTable(stream, dataset.getSchema(), runtime.allocator(), limits)
                : FittedReader.asTable(stream, TableMetadata::isReserved, runtime.allocator(), limits)) {
            WriteMode mode = overwriting == null ? WriteMode.APPEND : WriteMode.OVERWRITE;
            List<FragmentMetadata> files = commits.files(location, dataset, mode, rows);
            long version;
            if (overwriting != null) {
                Schema schema = rows.getVectorSchemaRoot().getSchema();
                version = commits.overwrite(dataset, location, target, schema, files, overwriting);
            } else if (files.isEmpty()) {
                return new WriteResult(dataset.version(), 0);
            } else {
                Operation append = new Append.Builder().fragments(files).build();
                version = commits.commit(dataset, location, target, append);
            }
            return new WriteResult(version, rows.rows());
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
