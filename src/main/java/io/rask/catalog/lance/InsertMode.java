package io.rask.catalog.lance;

/** What becomes of the rows a table already has. */
public enum InsertMode {
    /** They stay. */
    APPEND,
    /** A new version of the table holds the new rows alone, with the columns of the stream. */
    OVERWRITE
}
