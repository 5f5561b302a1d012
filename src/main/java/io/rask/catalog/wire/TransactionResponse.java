package io.rask.catalog.wire;

import java.util.Map;

/** A transaction as it is, or as it is after a change. */
public record TransactionResponse(TransactionStatus status, Map<String, String> properties) {}
