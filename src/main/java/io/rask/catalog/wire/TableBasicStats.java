package io.rask.catalog.wire;

/**
 * What a version of a table is made of.
 *
 * @param numDeletedRows rows that are deleted and still take space
 */
public record TableBasicStats(long numDeletedRows, long numFragments) {}
