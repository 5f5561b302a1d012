package io.rask.catalog.lance;

import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which state of a table a request means.
 *
 * @param branch null for the main branch
 * @param version null for the latest version of the branch
 */
public record TableVersion(
        @Nullable String branch, @Nullable Long version) {
    /** The latest version of the main branch. */
    public static final TableVersion LATEST = new TableVersion(null, null);

    private static final Pattern BRANCH = Pattern.compile("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*");

    public TableVersion {
        if (branch != null && (branch.isEmpty() || branch.equals("main"))) {
            branch = null;
        }
    }

    /** The latest version of a branch; null, empty and {@code main} are the main branch. */
    public static TableVersion ofBranch(@Nullable String branch) {
        return new TableVersion(branch, null);
    }

    /** Where the files of the branch's versions are. */
    TableLocation place(TableLocation table) {
        return branch == null ? table : new TableLocation(table.uri() + "/tree/" + branch, table.storageOptions());
    }

    OptionalLong number() {
        return version == null ? OptionalLong.empty() : OptionalLong.of(version);
    }

    /** Whether a branch of that name can exist: it is part of a path. */
    boolean hasLegalBranch() {
        return branch == null || (BRANCH.matcher(branch).matches() && !branch.contains(".."));
    }
}
