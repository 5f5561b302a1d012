package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query of a merge; the body is an Arrow stream.
 *
 * @param on the key columns, one in each {@code on}: a name may hold a comma
 * @param whenMatchedUpdateAllFilt a condition on {@code source.} and {@code target.} columns
 * @param timeout such as {@code 30s}, {@code 500ms} or {@code 1h}
 * @param useIndex absent means that it may be used, as LanceDB has it; the result is the same
 */
public record MergeQuery(
        @Nullable List<@Nullable String> on,
        @Nullable String branch,
        @Nullable Boolean whenMatchedUpdateAll,
        @Nullable String whenMatchedUpdateAllFilt,
        @Nullable Boolean whenNotMatchedInsertAll,
        @Nullable Boolean whenNotMatchedBySourceDelete,
        @Nullable String whenNotMatchedBySourceDeleteFilt,
        @Nullable String timeout,
        @Nullable Boolean useIndex) {}
