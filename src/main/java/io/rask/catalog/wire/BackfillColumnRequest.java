package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request to fill a computed column. Everything after {@code readVersion} says how the work is to be cut and who is to
 * do it.
 *
 * @param where which rows get a value; null for all
 * @param readVersion rows that came or changed after it are left out
 */
public record BackfillColumnRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        @Nullable String column,
        @Nullable String where,
        @Nullable Long readVersion,
        @Nullable Long concurrency,
        @Nullable Long intraApplierConcurrency,
        @Nullable Long minCheckpointSize,
        @Nullable Long maxCheckpointSize,
        @Nullable Double batchCheckpointFlushIntervalSeconds,
        @Nullable Long taskSize,
        @Nullable Long numFrags,
        @Nullable Long checkpointSize,
        @Nullable Long commitGranularity,
        @Nullable String cluster,
        @Nullable String manifest)
        implements ObjectBody {}
