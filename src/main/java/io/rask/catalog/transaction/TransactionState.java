package io.rask.catalog.transaction;

import io.rask.catalog.wire.TransactionResponse;
import io.rask.catalog.wire.TransactionStatus;
import java.util.Map;
import java.util.TreeMap;

/**
 * A transaction as clients see it.
 *
 * @param properties what clients have said of it
 * @param told what the catalog says of it, which nobody changes
 */
record TransactionState(TransactionStatus status, Map<String, String> properties, Map<String, String> told) {
    TransactionState {
        properties = Map.copyOf(properties);
        told = Map.copyOf(told);
    }

    /** A batch under way. One that is decided but not at its end runs still: it may not be visible everywhere. */
    static TransactionState of(Batch batch) {
        TransactionStatus status = switch (batch.state()) {
            case BEGUN, COMMITTED, WITHDRAWN -> TransactionStatus.RUNNING;
            case CANCELED -> TransactionStatus.CANCELED;
        };
        Map<String, String> told = new TreeMap<>(told(batch));
        told.put("decided", String.valueOf(batch.state() != Batch.State.BEGUN));
        return new TransactionState(status, batch.properties(), told);
    }

    static Map<String, String> told(Batch batch) {
        return Map.of(
                "operation",
                "batch_commit",
                "tables",
                String.join(",", batch.plan().tables()));
    }

    TransactionState with(Map<String, String> others) {
        return new TransactionState(status, others, told);
    }

    /** Whether it is too late to cancel it. */
    boolean isDecided() {
        return status != TransactionStatus.QUEUED
                && (status != TransactionStatus.RUNNING || "true".equals(told.get("decided")));
    }

    TransactionResponse response() {
        Map<String, String> all = new TreeMap<>(properties);
        all.putAll(told);
        return new TransactionResponse(status, all);
    }
}
