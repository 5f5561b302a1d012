package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;

/** What an insert does with the rows that are there. */
public enum InsertMode {
    APPEND,
    OVERWRITE;

    /** Reads the value in any spelling clients use; an unknown one is code 13. */
    @JsonCreator
    public static InsertMode of(String text) {
        return WireNames.parse(InsertMode.class, text);
    }
}
