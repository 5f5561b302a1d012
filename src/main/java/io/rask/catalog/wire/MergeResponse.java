package io.rask.catalog.wire;

/**
 * What a merge did.
 *
 * @param numAttempts how often it was carried out until no other writer was in its way
 * @param numRows how many rows the stream had
 */
public record MergeResponse(
        long numUpdatedRows, long numInsertedRows, long numDeletedRows, long version, int numAttempts, long numRows) {}
