package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;

/** How the manifest files of a table are named. */
public enum NamingScheme {
    /** By the number of the version. */
    V1,
    /** By what is left of the largest number, so that the latest is listed first. */
    V2;

    /** Reads the value in any spelling clients use; an unknown one is code 13. */
    @JsonCreator
    public static NamingScheme of(String text) {
        return WireNames.parse(NamingScheme.class, text);
    }
}
