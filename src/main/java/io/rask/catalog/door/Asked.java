package io.rask.catalog.door;

/** What a door asks the permission engine about. */
public enum Asked {
    /** What the door names: its target, or where it says so the parent, and the destination of a move. */
    TARGET,
    /** Each item of the list it answers with, which the handler does. */
    EACH_ITEM,
    /** What the job that the body names is about. */
    JOB,
    /** Every object that the body names. */
    BATCH,
    /** What the door names, about the rung that the body gives. */
    GRANT,
    /** Nothing: the operation is on what is the caller's own. */
    NOTHING
}
