package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;

/** What a drop does with what the object holds. */
public enum DropBehavior {
    /** Refuse unless it is empty. */
    RESTRICT,
    /** Drop it too. */
    CASCADE;

    /** Reads the value in any spelling clients use; an unknown one is code 13. */
    @JsonCreator
    public static DropBehavior of(String text) {
        return WireNames.parse(DropBehavior.class, text);
    }
}
