package io.rask.catalog.wire;

/** A body that gives a rung, for which there is a right of its own. */
public interface GivesRung {
    /** The rung as the permission model spells it; it may be none. */
    String rung();
}
