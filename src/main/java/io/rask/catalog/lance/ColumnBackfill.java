package io.rask.catalog.lance;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Fills computed columns in steps: plan, compute the values of some fragments into files nobody sees, commit. The commit replaces the
 * column in the fragments it was computed for and nothing else, so rows that are on their way go together with it; what meets it in
 * the same fragments is refused on one side.
 */
@Component
public final class ColumnBackfill {
    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final ShapeCommits commits;
    private final ColumnFiles files;
    private final ManifestFiles manifests;

    ColumnBackfill(
            NativeCalls calls,
            DatasetHandles handles,
            ShapeCommits commits,
            ColumnFiles files,
            ManifestFiles manifests) {
        this.calls = calls;
        this.handles = handles;
        this.commits = commits;
        this.files = files;
        this.manifests = manifests;
    }

    /**
     * Checks that the column can be filled, as the table is.
     *
     * @param branch null or {@code main} for the main branch
     * @throws io.rask.catalog.problem.CatalogException code 12 for an unknown column, 13 for one that is not computed or for a
     *     condition that is none, 0 for one that a function outside fills, 11 for an unknown version, 22 for an unknown branch, 19
     *     when the table is only declared
     */
    public void check(TableLocation location, @Nullable String branch, Filling wanted) {
        calls.stream(() -> {
            try (DatasetLease lease = handles.open(location, TableVersion.ofBranch(branch))) {
                FillPlan plan = FillPlan.of(lease.dataset(), wanted.column(), wanted.where());
                plan.require(lease.dataset(), files);
            } catch (Exception e) {
                throw SqlErrors.translate(e, "The backfill");
            }
            if (wanted.readVersion() != null) {
                handles.open(location, new TableVersion(branch, wanted.readVersion()))
                        .close();
            }
            return wanted;
        });
    }

    /**
     * Begins to fill the column as the latest version of the branch has it.
     *
     * @param kept what was computed before; what is no longer good of it is computed anew
     * @throws io.rask.catalog.problem.CatalogException as {@link #check}
     */
    public FillRun begin(TableLocation location, @Nullable String branch, Filling wanted, List<FilledFragment> kept) {
        TableVersion target = TableVersion.ofBranch(branch);
        return calls.stream(() -> {
            String identity = handles.identity(location, target.branch());
            FillRun.Place place =
                    new FillRun.Place(calls, handles, commits, files, manifests, location, target, identity);
            DatasetLease lease = handles.open(location, target);
            try {
                return new FillRun(place, lease, wanted, kept);
            } catch (Exception e) {
                lease.close();
                throw SqlErrors.translate(e, "The backfill");
            }
        });
    }

    /**
     * The version that a transaction of {@link FillRun#commit} made, however many came since.
     *
     * @param readVersion the {@link FillRun#version} of the run
     * @throws io.rask.catalog.problem.CatalogException code 22 for an unknown branch, 17 when the store does not answer
     */
    public OptionalLong landed(TableLocation location, @Nullable String branch, long readVersion, String transaction) {
        return calls.metadata(() -> commits.landed(location, TableVersion.ofBranch(branch), readVersion, transaction))
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }
}
