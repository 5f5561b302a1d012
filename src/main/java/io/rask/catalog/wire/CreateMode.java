package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;

/** What a create does when the object is there already. */
public enum CreateMode {
    /** Fail. */
    CREATE,
    /** Keep it and succeed. */
    EXIST_OK,
    /** Replace it. */
    OVERWRITE;

    /** Reads the value in any spelling clients use; an unknown one is code 13. */
    @JsonCreator
    public static CreateMode of(String text) {
        return WireNames.parse(CreateMode.class, text);
    }
}
