package io.rask.catalog.lance;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lance.Branch;
import org.lance.Branch.BranchVersionMapping;

/**
 * A branch of a table. One that was deleted and made again has its old name and maybe its old numbers.
 *
 * @param branch null for the main branch
 * @param identity what tells the branch from others that had its name; empty for the main branch
 */
record BranchKey(TableLocation location, @Nullable String branch, String identity) {
    static BranchKey main(TableLocation location) {
        return new BranchKey(location, null, "");
    }

    /** Old writers gave their branches no id of their own; then the moment of their making has to do. */
    static BranchKey of(TableLocation location, Branch branch) {
        List<BranchVersionMapping> lineage = branch.getBranchIdentifier();
        String identity = branch.getCreateAt() + "-" + branch.getParentVersion()
                + (lineage.isEmpty() ? "" : "-" + lineage.getLast().getUuid());
        return new BranchKey(location, branch.getName(), identity);
    }
}
