package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that were made together.
 *
 * @param transactionId what the transaction is described by
 * @param results in the order of the request
 */
public record BatchCommitResponse(@Nullable String transactionId, List<Result> results) {

    /** What came of one change: the field of its kind is there. */
    public record Result(
            @Nullable DeclareTableResponse declareTable,
            @Nullable VersionResponse createTableVersion,
            @Nullable DeleteVersionsResponse deleteTableVersions,
            @Nullable DropTableResponse deregisterTable) {}
}
