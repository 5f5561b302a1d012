package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How far a transaction is. */
public enum TransactionStatus {
    QUEUED("Queued"),
    RUNNING("Running"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    CANCELED("Canceled");

    private final String wireName;

    TransactionStatus(String wireName) {
        this.wireName = wireName;
    }

    /** Reads the value in any spelling clients use; an unknown one is code 13. */
    @JsonCreator
    public static TransactionStatus of(String text) {
        return WireNames.parse(TransactionStatus.class, text);
    }

    /** The value as answers and records carry it. */
    @JsonValue
    public String wireName() {
        return wireName;
    }
}
