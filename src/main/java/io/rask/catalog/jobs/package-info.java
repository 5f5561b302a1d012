/**
 * The doors of jobs, and what the server does for them beside: it starts worker processes, looks after them, and forgets old jobs.
 * Rule: nothing here works on a job.
 */
@NullMarked
package io.rask.catalog.jobs;

import org.jspecify.annotations.NullMarked;
