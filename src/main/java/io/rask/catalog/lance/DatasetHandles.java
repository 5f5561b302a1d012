package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The open tables of the process. The latest version of a branch is kept open and checked on each use; numbered versions never
 * change and are kept as they are. Both are bounded, and what is pushed out is closed when its last user has left. A branch that
 * was deleted and made again has its old name and maybe its old numbers, so a branch is kept by what tells it from its namesakes.
 */
@Component
public final class DatasetHandles implements DisposableBean {
    private final NativeCalls calls;
    private final DeletedVersions deleted;
    private final OpenBranches branches;
    private final OpenVersions versions = new OpenVersions();

    public DatasetHandles(NativeRuntime runtime, NativeCalls calls, DeletedVersions deleted) {
        this.calls = calls;
        this.deleted = deleted;
        this.branches = new OpenBranches(new DatasetOpening(runtime));
    }

    /**
     * Opens a version of a table, or nothing when the table is declared but holds no data yet.
     *
     * @throws CatalogException code 22 for an unknown branch, 11 for an unknown version, 17 when the store does not answer
     */
    Optional<DatasetLease> find(TableLocation location, TableVersion wanted) {
        if (!wanted.hasLegalBranch()) {
            throw noBranch(wanted.branch());
        }
        return calls.metadata(() -> {
            String branch = wanted.branch();
            Optional<BranchKey> key = branch == null ? Optional.of(BranchKey.main(location)) : key(location, branch);
            if (key.isEmpty()) {
                return Optional.empty();
            }
            return wanted.number().isPresent()
                    ? numbered(key.get(), wanted.number().getAsLong())
                    : branches.latest(key.get());
        });
    }

    /**
     * What tells a branch from others that had or will have its name; empty for the main branch.
     *
     * @throws CatalogException code 22 for an unknown branch
     */
    String identity(TableLocation location, @Nullable String branch) {
        return branch == null
                ? ""
                : calls.metadata(
                        () -> key(location, branch).map(BranchKey::identity).orElse(""));
    }

    /** The branch of that name as it is now, or nothing when the table is only declared. */
    private Optional<BranchKey> key(TableLocation location, String branch) {
        return branches.latest(BranchKey.main(location)).map(lease -> {
            try (lease) {
                return RefLists.branches(lease.dataset()).stream()
                        .filter(found -> found.getName().equals(branch))
                        .findFirst()
                        .map(found -> BranchKey.of(location, found))
                        .orElseThrow(() -> noBranch(branch));
            }
        });
    }

    private Optional<DatasetLease> numbered(BranchKey branch, long number) {
        if (deleted.of(branch.location(), branch.branch()).contains(number)) {
            throw noVersion(number);
        }
        Optional<DatasetLease> known = versions.find(branch, number);
        if (known.isPresent()) {
            return known;
        }
        return branches.latest(branch).map(lease -> {
            try (lease) {
                return versions.open(
                        branch, number, () -> DatasetOpening.version(lease.dataset(), branch.branch(), number));
            }
        });
    }

    /**
     * Opens a version of a table that must hold data.
     *
     * @throws CatalogException as {@link #find}, and code 19 when the table is only declared
     */
    DatasetLease open(TableLocation location, TableVersion wanted) {
        return find(location, wanted).orElseThrow(DatasetHandles::onlyDeclared);
    }

    /** Whether the main branch is open, so that a look at its latest version costs little. */
    boolean isOpen(TableLocation location) {
        return branches.holds(BranchKey.main(location));
    }

    /**
     * To be called with the version that a commit has made: a commit that stalled may have got the number of a version that was
     * deleted meanwhile, behind the latest, where nobody sees it.
     *
     * @throws CatalogException code 14 when that happened; the change has not
     */
    void requireAhead(TableLocation location, TableVersion branch, long made) {
        if (deleted.of(location, branch.branch()).contains(made)) {
            throw CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION,
                    "The change took so long that others have overtaken it, and it did not happen; try again.");
        }
    }

    /** Forgets what is open at a location, for instance after a drop. Running users finish undisturbed. */
    public void invalidate(String uri) {
        branches.forget(uri);
        versions.forget(uri);
    }

    /** How many versions are kept open. */
    int open() {
        return branches.size() + versions.size();
    }

    /** What a table that is only declared lacks: the branch that was asked for, or the version, or any data. */
    static CatalogException noData(TableVersion wanted) {
        if (wanted.branch() != null) {
            return noBranch(wanted.branch());
        }
        return wanted.version() != null ? noVersion(wanted.version()) : onlyDeclared();
    }

    private static CatalogException onlyDeclared() {
        return CatalogException.of(
                ErrorCode.INVALID_TABLE_STATE,
                "The table is declared but holds no data yet; insert rows to create it.");
    }

    static CatalogException noBranch(@Nullable String branch) {
        return CatalogException.of(ErrorCode.TABLE_BRANCH_NOT_FOUND, "The table has no branch '" + branch + "'.");
    }

    static CatalogException noVersion(long number) {
        return CatalogException.of(
                ErrorCode.TABLE_VERSION_NOT_FOUND, "The table has no version " + number + " on this branch.");
    }

    @Override
    public void destroy() {
        branches.close();
        versions.close();
    }
}
