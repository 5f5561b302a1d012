package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of jobs. */
public record ListJobsResponse(List<Entry> jobs, @Nullable String pageToken) {
    /** One job in a listing; {@code table} is empty for one that is about no single table. */
    public record Entry(String jobId, String table, String jobType, String state, long createdAtMillis) {}
}
