package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * How much of a table an index covers.
 *
 * @param distanceType of an index of vectors; absent for others
 * @param numIndices the parts it is made of
 */
public record IndexStatsResponse(
        @Nullable String distanceType, String indexType, long numIndexedRows, long numUnindexedRows, int numIndices) {}
