package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * The body of a query for the events of a job.
 *
 * @param filter conditions on the columns, in SQL's spelling
 * @param limit the most events; absent means 1,000
 */
public record JobEventsRequest(
        @Nullable String jobId,
        @Nullable Long limit,
        @Nullable String filter) {}
