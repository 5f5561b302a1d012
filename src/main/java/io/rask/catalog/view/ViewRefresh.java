package io.rask.catalog.view;

import java.util.List;

/**
 * The last refresh of a view, as its table keeps it.
 *
 * @param jobId the job that did it
 * @param mode {@code full} or {@code incremental}
 * @param rowsVersion the version of the view that has the rows; any later change of its rows is a stranger's
 * @param rows how many rows were written
 * @param finishedAtMillis when, in milliseconds since 1970
 * @param sources what was read of each source, in the order of the definition
 */
record ViewRefresh(String jobId, String mode, long rowsVersion, long rows, long finishedAtMillis, List<Read> sources) {
    static final String FULL = "full";
    static final String INCREMENTAL = "incremental";
    static final String UNCHANGED = "unchanged";

    ViewRefresh {
        sources = List.copyOf(sources);
    }

    /**
     * What was read of a source.
     *
     * @param location the place of the table below the root of its warehouse: another table may get its id
     */
    record Read(String location, long version) {}
}
