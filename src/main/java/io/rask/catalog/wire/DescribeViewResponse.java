package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A materialized view.
 *
 * @param query the SQL it holds the answer to
 * @param version the latest version of its table
 * @param schema the fields, in the type names of the client's dialect
 * @param incremental whether its query lets a refresh read only what was added to the source
 * @param freshness {@code fresh} when it holds the answer over the latest versions of its sources, {@code stale} when not, {@code empty}
 *     before the first refresh
 * @param lastRefresh absent before the first
 */
public record DescribeViewResponse(
        String name,
        List<String> namespace,
        String kind,
        String query,
        String location,
        long version,
        Object schema,
        boolean incremental,
        String freshness,
        List<Source> sources,
        @Nullable Refresh lastRefresh) {

    /**
     * A table that the query reads.
     *
     * @param version the version that the view holds; absent before the first refresh
     * @param latestVersion absent when the table is gone, or holds no data
     */
    public record Source(
            List<String> id,
            @Nullable Long version,
            @Nullable Long latestVersion) {}

    /**
     * What the last refresh did.
     *
     * @param mode {@code full} or {@code incremental}
     * @param rows how many rows it wrote
     */
    public record Refresh(String jobId, String mode, long rows, long finishedAtMillis) {}
}
