package io.rask.catalog.wire;

/** How large a table is. */
public record StatsResponse(long totalBytes, long numRows, long numIndices, FragmentStats fragmentStats) {

    /** @param numSmallFragments how many are so small that a compaction would join them */
    public record FragmentStats(long numFragments, long numSmallFragments, Lengths lengths) {}

    /** Rows in a fragment. */
    public record Lengths(long min, long max, long mean, long p25, long p50, long p75, long p99) {}
}
