package io.rask.catalog.lance;

/**
 * Changes of several tables at once that were begun and not brought to their end. Until they are, nobody else may change those
 * tables: what was done to one of them could not be taken back any more.
 */
public interface UnfinishedChanges {
    /** Whether one of them concerns the table at a place. */
    boolean concern(TableLocation location);

    /**
     * Brings those that concern the table at a place to their end, or waits until the server that is at it has.
     *
     * @throws io.rask.catalog.problem.CatalogException code 14 when that takes too long, code 17 when the store does not answer
     */
    void settle(TableLocation location);

    /**
     * As {@link #settle(TableLocation)} for whatever table has a name.
     *
     * @param id the stored id
     */
    void settle(String id);
}
