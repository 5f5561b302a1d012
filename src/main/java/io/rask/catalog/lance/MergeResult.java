package io.rask.catalog.lance;

/**
 * What a merge did.
 *
 * @param version the version after the merge; the one before it where nothing changed
 * @param attempts how often it was carried out until no other writer was in its way
 * @param sourceRows how many rows the stream had
 */
public record MergeResult(
        long version, long insertedRows, long updatedRows, long deletedRows, int attempts, long sourceRows) {}
