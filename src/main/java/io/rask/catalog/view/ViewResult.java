package io.rask.catalog.view;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the jobs of views tell of themselves, in the names that LanceDB's clients read. */
final class ViewResult {
    static final String PUBLISHED = "published_version";

    /** Which job makes the rows of a view that was made without any. */
    static final String FILLED_BY = "refresh_job_id";

    private ViewResult() {}

    static ObjectNode of(ViewRefresh done, long version) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("mode", done.mode());
        result.put("rows_assigned", done.rows());
        result.put("rows_failed", 0);
        result.put("rows_remaining", 0);
        result.put("source_version", done.sources().getFirst().version());
        result.put(PUBLISHED, version);
        return result;
    }

    /** The result of a refresh that found all as it was. */
    static ObjectNode unchanged(ViewRefresh before) {
        ObjectNode result = of(
                new ViewRefresh(
                        before.jobId(),
                        ViewRefresh.UNCHANGED,
                        before.rowsVersion(),
                        0,
                        before.finishedAtMillis(),
                        before.sources()),
                before.rowsVersion());
        result.remove(PUBLISHED);
        return result;
    }
}
