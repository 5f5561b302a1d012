package io.rask.catalog.lance;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of versions that began at a version of another.
 *
 * @param parentBranch the branch it began on; null for the main branch
 * @param parentVersion the version it began at
 * @param createdAt when, in seconds since 1970
 * @param manifestSize the size of the manifest file of the version it began at, in bytes
 */
public record TableBranch(
        String name,
        @Nullable String parentBranch,
        long parentVersion,
        long createdAt,
        long manifestSize,
        Map<String, String> metadata) {
    public TableBranch {
        metadata = Map.copyOf(metadata);
    }
}
