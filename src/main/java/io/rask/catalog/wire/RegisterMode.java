package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;

/** What a registration does when the table is there already. */
public enum RegisterMode {
    /** Fail. */
    CREATE,
    /** Lead the name to the new location; what lies at the old one stays. */
    OVERWRITE;

    /** Reads the value in any spelling clients use; an unknown one is code 13. */
    @JsonCreator
    public static RegisterMode of(String text) {
        return WireNames.parse(RegisterMode.class, text);
    }
}
