package io.rask.catalog.job;

import java.time.Instant;

/**
 * The right to work on a job.
 *
 * @param job the job as it was when it was taken or last renewed
 * @param end until when, by this process's clock
 */
record JobClaim(Job job, Instant end) {
    String id() {
        return job.id();
    }

    long token() {
        return job.token();
    }
}
