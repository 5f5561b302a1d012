package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import org.springframework.stereotype.Component;

/**
 * Takes the latest version of a table back. Its number stays taken: other servers may have read it. So what the version before
 * holds becomes the next version, unless another writer has built on the one that is to go.
 */
@Component
public final class VersionWithdrawal {
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final ShapeCommits commits;

    VersionWithdrawal(NativeCalls calls, DatasetHandles handles, ShapeCommits commits) {
        this.calls = calls;
        this.handles = handles;
        this.commits = commits;
    }

    /**
     * Takes a version back.
     *
     * @param to the version, 2 or later, and its branch
     * @return false when another writer has built on it, so that it stays
     * @throws CatalogException code 17 when it cannot be told whether it happened
     */
    public boolean withdraw(TableLocation location, TableVersion to) {
        TableVersion branch = TableVersion.ofBranch(to.branch());
        long version = to.number().orElseThrow();
        return calls.metadata(() -> {
            try (DatasetLease latest = handles.open(location, branch)) {
                return latest.dataset().version() == version
                        && commits.back(latest.dataset(), location, branch, version - 1) > version;
            } catch (CatalogException e) {
                if (e.code() == ErrorCode.CONCURRENT_MODIFICATION) {
                    return false;
                }
                throw e;
            }
        });
    }
}
