package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;

/** What a drop does when the object is absent. */
public enum DropMode {
    /** Fail with the code of absence. */
    FAIL,
    /** Succeed. */
    SKIP;

    /** Reads the value in any spelling clients use; an unknown one is code 13. */
    @JsonCreator
    public static DropMode of(String text) {
        return WireNames.parse(DropMode.class, text);
    }
}
