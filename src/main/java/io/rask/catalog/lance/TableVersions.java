package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.lance.Dataset;
import org.lance.Version;
import org.lance.operation.Restore;
import org.springframework.stereotype.Component;

/** The versions of tables: what one is, and the return to one. */
@Component
public final class TableVersions {
    private static final int ATTEMPTS = 20;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final RowCommits commits;

    TableVersions(NativeCalls calls, DatasetHandles handles, RowCommits commits) {
        this.calls = calls;
        this.handles = handles;
        this.commits = commits;
    }

    /**
     * What a version says of itself.
     *
     * @throws CatalogException code 22 for an unknown branch, 11 for an unknown version, 19 when the table is only declared and
     *     neither is named
     */
    public VersionFacts describe(TableLocation location, TableVersion wanted) {
        return calls.metadata(() -> {
            try (DatasetLease lease = require(location, wanted)) {
                Version version = lease.dataset().getVersion();
                return new VersionFacts(
                        lease.dataset().version(),
                        version.getDataTime().toInstant().toEpochMilli(),
                        version.getMetadata());
            }
        });
    }

    /**
     * Makes a new version of what an earlier one of the same branch holds. Nothing in between is lost.
     *
     * @param to with a number
     * @return the new version
     * @throws CatalogException code 22 for an unknown branch, 11 for an unknown version, 14 when other writers were faster each
     *     time, 17 when it cannot be told whether it happened
     */
    public long restore(TableLocation location, TableVersion to) {
        TableVersion branch = TableVersion.ofBranch(to.branch());
        return calls.metadata(() -> {
            for (int attempt = 1; ; attempt++) {
                try (DatasetLease wanted = require(location, to);
                        DatasetLease latest = handles.open(location, branch)) {
                    return restore(location, branch, latest.dataset(), wanted.dataset());
                } catch (CatalogException e) {
                    if (e.code() != ErrorCode.CONCURRENT_MODIFICATION || attempt == ATTEMPTS) {
                        throw e;
                    }
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
                }
            }
        });
    }

    private long restore(TableLocation location, TableVersion branch, Dataset latest, Dataset wanted) throws Exception {
        Restore restore = new Restore.Builder().version(wanted.version()).build();
        try {
            return commits.commit(latest, location, branch, restore);
        } catch (CatalogException e) {
            throw e;
        } catch (Exception e) {
            // The library throws more than it declares. Other programs remove versions too.
            boolean gone = NativeErrors.cause(e) == NativeErrors.Cause.ABSENT
                    && NativeErrors.text(e).contains(".manifest");
            throw gone ? DatasetHandles.noVersion(wanted.version()) : NativeErrors.translate(e);
        }
    }

    private DatasetLease require(TableLocation location, TableVersion wanted) {
        return handles.find(location, wanted).orElseThrow(() -> DatasetHandles.noData(wanted));
    }
}
