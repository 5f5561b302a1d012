package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a change of columns did.
 *
 * @param transactionId absent when there was nothing to change
 * @param indexJobIds the jobs that make indices anew that went with the old values; absent when there are none
 */
public record ColumnsResponse(
        long version,
        @Nullable String transactionId,
        @Nullable List<String> indexJobIds) {}
