package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.lance.arrow.IpcLimits;
import io.rask.catalog.lance.arrow.IpcReader;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertStats;
import org.springframework.stereotype.Component;

/** Merges Arrow streams into tables by key: each merge is one commit, and merges into one branch come one after the other. */
@Component
public final class TableMerger {
    private static final int ATTEMPTS = 20;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final FirstWrites firstWrites;
    private final UpsertTurns turns;
    private final IpcLimits limits;
    private final long mostBytes;

    TableMerger(
            NativeRuntime runtime,
            NativeCalls calls,
            DatasetHandles handles,
            FirstWrites firstWrites,
            UpsertTurns turns,
            CatalogProperties properties) {
        this.runtime = runtime;
        this.calls = calls;
        this.handles = handles;
        this.firstWrites = firstWrites;
        this.turns = turns;
        this.limits = IpcLimits.ofBatch(properties.limits().arrowBatch().toBytes());
        this.mostBytes = properties.limits().arrowBody().toBytes();
    }

    /**
     * Merges a stream into a branch. A table that is only declared is made of the stream.
     *
     * @param branch null or {@code main} for the main branch
     * @throws CatalogException code 13, 12 or 20 when the merge or the stream does not fit the table or a key comes twice, 22 for an
     *     unknown branch, 14 when other writers were faster each time, 21 when other merges take too long, 17 when it cannot be
     *     told whether it happened
     */
    public MergeResult merge(TableLocation location, @Nullable String branch, RowMerge merge, InputStream body) {
        MergePlan plan = MergePlan.of(merge);
        TableVersion target = TableVersion.ofBranch(branch);
        Merging merging = new Merging(location, target, plan);
        ClientBody stream = new ClientBody(body);
        try {
            merging.source = calls.stream(() -> merging.read(stream));
            merging.turn = turns.take(location, target, RequestBound.current());
            return calls.stream(merging::run);
        } finally {
            stream.end();
            merging.endUnlessRunning();
        }
    }

    /** One merge. What it holds is let go by the call that uses it, which may outlive the request. */
    private final class Merging {
        private final TableLocation location;
        private final TableVersion target;
        private final MergePlan plan;
        private final AtomicBoolean taken = new AtomicBoolean();
        private @Nullable MergeSource source;
        private UpsertTurns.@Nullable Turn turn;

        Merging(TableLocation location, TableVersion target, MergePlan plan) {
            this.location = location;
            this.target = target;
            this.plan = plan;
        }

        /** Takes the stream in, with the columns of the table as it is now. */
        MergeSource read(ClientBody body) throws Exception {
            try (IpcReader stream = IpcReader.open(body, runtime.allocator(), limits)) {
                Optional<DatasetLease> existing = handles.find(location, target);
                if (existing.isEmpty()) {
                    if (target.branch() != null) {
                        throw TableWriter.noBranchYet(target);
                    }
                    try (FittedReader rows =
                            FittedReader.asTable(stream, TableMetadata::isReserved, runtime.allocator(), limits)) {
                        return read(rows, rows.schema());
                    }
                }
                try (DatasetLease lease = existing.get()) {
                    Schema table = lease.dataset().getSchema();
                    plan.check(table, stream.getVectorSchemaRoot().getSchema());
                    try (FittedReader rows = FittedReader.toGivenColumns(stream, table, runtime.allocator(), limits)) {
                        return read(rows, table);
                    }
                }
            }
        }

        private MergeSource read(FittedReader rows, Schema table) throws IOException {
            List<String> keys = plan.keys(table, rows.schema());
            MergeSource whole = MergeSource.read(rows, keys, mostBytes);
            if (taken.get()) {
                whole.close();
            }
            return whole;
        }

        MergeResult run() throws Exception {
            if (taken.getAndSet(true)) {
                throw new IllegalStateException("the request is over");
            }
            try {
                return merge(java.util.Objects.requireNonNull(source), java.util.Objects.requireNonNull(turn));
            } finally {
                end();
            }
        }

        /** Lets everything go unless the call that merges has begun: then it does so itself. */
        void endUnlessRunning() {
            if (!taken.getAndSet(true)) {
                end();
            }
        }

        private void end() {
            if (turn != null) {
                turn.close();
            }
            try {
                if (source != null) {
                    source.close();
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        private MergeResult merge(MergeSource rows, UpsertTurns.Turn held) throws Exception {
            RequestBound bound = RequestBound.current();
            for (int attempt = 1; ; attempt++) {
                try {
                    held.requireHeld();
                    return once(rows, attempt);
                } catch (CatalogException e) {
                    if (e.code() != ErrorCode.CONCURRENT_MODIFICATION || attempt == ATTEMPTS || bound.isOver()) {
                        throw e;
                    }
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
                }
            }
        }

        private MergeResult once(MergeSource rows, int attempt) throws Exception {
            Optional<DatasetLease> existing = handles.find(location, target);
            if (existing.isEmpty()) {
                return first(rows, attempt);
            }
            try (DatasetLease lease = existing.get()) {
                return into(lease.dataset(), rows, attempt);
            }
        }

        private MergeResult first(MergeSource rows, int attempt) throws Exception {
            try (ArrowReader reader = rows.reader(runtime.allocator());
                    FittedReader fitted = FittedReader.toTable(reader, rows.schema(), runtime.allocator(), limits)) {
                WriteResult made = firstWrites.make(location, fitted);
                return new MergeResult(made.version(), made.rows(), 0, 0, attempt, rows.rows());
            }
        }

        private MergeResult into(Dataset dataset, MergeSource rows, int attempt) throws Exception {
            Schema table = dataset.getSchema();
            plan.checkUnchanged(table, rows.schema());
            if (rows.rows() == 0 && !plan.deletes()) {
                return new MergeResult(dataset.version(), 0, 0, 0, attempt, 0);
            }
            MergeInsertParams params = plan.params(table, rows);
            try (ArrowReader reader = rows.reader(runtime.allocator());
                    ArrowArrayStream stream = ArrowArrayStream.allocateNew(runtime.allocator())) {
                Data.exportArrayStream(runtime.allocator(), reader, stream);
                var done = dataset.mergeInsert(params, stream);
                try (Dataset after = done.dataset()) {
                    handles.requireAhead(location, target, after.version());
                    MergeInsertStats stats = done.stats();
                    return new MergeResult(
                            after.version(),
                            stats.numInsertedRows(),
                            stats.numUpdatedRows(),
                            stats.numDeletedRows(),
                            attempt,
                            rows.rows());
                }
            } catch (Exception e) {
                throw NativeErrors.cause(e) == NativeErrors.Cause.STORE_UNREACHABLE
                        ? NativeErrors.unknownOutcome(e)
                        : SqlErrors.translate(e, "The merge");
            }
        }
    }
}
