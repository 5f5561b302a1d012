package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;

/** What becomes of a property that has a value already. */
public enum SetPropertyMode {
    /** It gets the new value. */
    OVERWRITE,
    /** The request fails as a whole. */
    FAIL,
    /** It keeps its value. */
    SKIP;

    /** Reads the value in any spelling clients use; an unknown one is code 13. */
    @JsonCreator
    public static SetPropertyMode of(String text) {
        return WireNames.parse(SetPropertyMode.class, text);
    }
}
