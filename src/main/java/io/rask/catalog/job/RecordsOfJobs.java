package io.rask.catalog.job;

/**
 * A folder of records that say for what jobs were begun and what became of them. They are forgotten when they are as old as jobs may
 * get; who misses one begins anew.
 */
public interface RecordsOfJobs {
    /** The folder; nothing is in it whose loss would be more than work done twice. */
    String folder();
}
