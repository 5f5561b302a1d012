package io.rask.catalog.door;

import java.util.Locale;

/** The kinds of things a door leads to. */
public enum Target {
    /** Nothing in particular: the objects are named in the body, or the operation is the caller's own. */
    NONE,
    /** The whole installation. */
    ESTATE,
    PROJECT,
    /** A role of a project. */
    ROLE,
    WAREHOUSE,
    NAMESPACE,
    TABLE,
    MATERIALIZED_VIEW,
    TRANSACTION;

    /** The kind as messages and problem documents spell it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the id is made of segments, and not the id of a project or warehouse. */
    boolean hasSegments() {
        return this == NAMESPACE || this == TABLE || this == MATERIALIZED_VIEW || this == TRANSACTION;
    }
}
