package io.rask.catalog.lance;

import io.rask.catalog.lance.arrow.FittedReader;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Ref;
import org.lance.Transaction;
import org.lance.WriteFragmentBuilder;
import org.lance.WriteParams.WriteMode;
import org.lance.operation.Operation;
import org.springframework.stereotype.Component;

/**
 * Rows reach a table in two steps: files that nobody sees yet, where a failed request may be repeated, then one commit, where it
 * may not: a repeat would meet its own first attempt, take it for another writer's and commit the rows again (measured: {@code
 * docs/decisions/0006}). When the answer to a commit is lost, the table's own history tells whether it happened.
 */
@Component
final class RowCommits {
    private static final int LOOK_BACK = 100;

    private final NativeRuntime runtime;
    private final DatasetHandles handles;

    RowCommits(NativeRuntime runtime, DatasetHandles handles) {
        this.runtime = runtime;
        this.handles = handles;
    }

    /** Writes the files of a table that is to be made. */
    List<FragmentMetadata> files(TableLocation location, FittedReader rows) throws Exception {
        return files(Fragment.write().datasetUri(location.uri()).mode(WriteMode.CREATE), location, rows);
    }

    /**
     * Writes the files of rows for a table that is there.
     *
     * @throws CatalogException code 14 when the columns of the table, which the rows were fitted to, changed meanwhile
     */
    List<FragmentMetadata> files(TableLocation location, Dataset table, WriteMode mode, FittedReader rows)
            throws Exception {
        WriteFragmentBuilder write = Fragment.write()
                .datasetUri(table.uri())
                .mode(mode)
                .dataStorageVersion(table.getLanceFileFormatVersion());
        try {
            return files(write, location, rows);
        } catch (Exception e) {
            // The library compares with the latest version, not with the one that is open.
            if (NativeErrors.text(e).contains("different schema") && table.latestVersion() != table.version()) {
                throw CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "The columns of the table changed while the rows were written; try again.",
                        e);
            }
            throw e;
        }
    }

    /** Writes the files that a builder, which knows all but the rows, is to write. */
    List<FragmentMetadata> files(WriteFragmentBuilder write, TableLocation location, FittedReader rows)
            throws Exception {
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(runtime.allocator())) {
            Data.exportArrayStream(runtime.allocator(), rows, stream);
            return write.allocator(runtime.allocator())
                    .data(stream)
                    .enableStableRowIds(false)
                    .storageOptions(location.repeatingOptions())
                    .execute();
        } catch (Exception e) {
            throw rows.failure().<Exception>map(known -> known).orElse(e);
        }
    }

    /** Makes the table of files; nobody may be making it at the same time. */
    long create(TableLocation location, Schema schema, List<FragmentMetadata> files, Overwriting first)
            throws Exception {
        CommitBuilder create = new CommitBuilder(location.uri(), runtime.allocator())
                .writeParams(location.storageOptions())
                .useStableRowIds(false)
                .maxRetries(0);
        return commit(create, location, TableVersion.LATEST, 0, first.begin(files, schema), first.transaction());
    }

    /**
     * Replaces all rows of a table by those of files.
     *
     * @throws CatalogException as {@link #commit}
     */
    long overwrite(
            Dataset table,
            TableLocation location,
            TableVersion branch,
            Schema schema,
            List<FragmentMetadata> files,
            Overwriting change)
            throws Exception {
        Operation begun = change.begin(files, schema);
        return commit(new CommitBuilder(table), location, branch, table.version(), begun, change.transaction());
    }

    /**
     * Commits a change to a table.
     *
     * @return the version that holds it
     * @throws CatalogException code 14 when others have overtaken it, code 17 when it cannot be told whether it happened
     */
    long commit(Dataset table, TableLocation location, TableVersion branch, Operation change) throws Exception {
        String transaction = UUID.randomUUID().toString();
        return commit(new CommitBuilder(table), location, branch, table.version(), change, transaction);
    }

    private long commit(
            CommitBuilder commit,
            TableLocation location,
            TableVersion branch,
            long readVersion,
            Operation change,
            String uuid)
            throws Exception {
        try (Transaction transaction = new Transaction.Builder()
                .uuid(uuid)
                .readVersion(readVersion)
                .operation(change)
                .build()) {
            long version = version(commit, transaction, location, branch);
            handles.requireAhead(location, branch, version);
            return version;
        }
    }

    private long version(CommitBuilder commit, Transaction transaction, TableLocation location, TableVersion branch)
            throws Exception {
        try (Dataset written = commit.execute(transaction)) {
            return written.version();
        } catch (Exception e) {
            if (NativeErrors.cause(e) != NativeErrors.Cause.STORE_UNREACHABLE) {
                throw e;
            }
            return landed(location, branch, transaction.readVersion(), transaction.uuid(), e)
                    .orElseThrow(() -> NativeErrors.unknownOutcome(e));
        }
    }

    /**
     * The version that a transaction made, if the table has one.
     *
     * @param failure gets what kept us from looking
     */
    Optional<Long> landed(
            TableLocation location, TableVersion branch, long readVersion, String uuid, Exception failure) {
        try {
            Optional<DatasetLease> table = handles.find(location, branch);
            if (table.isEmpty()) {
                return Optional.empty();
            }
            try (DatasetLease lease = table.get()) {
                long latest = lease.dataset().version();
                for (long version = latest; version > Math.max(readVersion, latest - LOOK_BACK); version--) {
                    if (isOf(lease.dataset(), branch, version, uuid)) {
                        return Optional.of(version);
                    }
                }
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        return Optional.empty();
    }

    private static boolean isOf(Dataset table, TableVersion branch, long version, String uuid) {
        try (Dataset at = at(table, branch.branch(), version)) {
            Optional<Transaction> made = at.readTransaction();
            if (made.isEmpty()) {
                return false;
            }
            try (Transaction transaction = made.get()) {
                return transaction.uuid().equals(uuid);
            }
        }
    }

    /** A version of a branch, of which the table is any version. */
    static Dataset at(Dataset table, @Nullable String branch, long version) {
        return branch == null ? table.checkoutVersion(version) : table.checkout(Ref.ofBranch(branch, version));
    }
}
