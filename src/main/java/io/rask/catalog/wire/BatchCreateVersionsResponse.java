package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Versions that were made together.
 *
 * @param transactionId what the transaction is described by
 * @param versions in the order of the request
 */
public record BatchCreateVersionsResponse(@Nullable String transactionId, List<VersionEntry> versions) {}
