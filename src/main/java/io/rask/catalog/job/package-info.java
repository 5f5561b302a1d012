/**
 * Work outside the server: the durable registry of jobs, their events, the leases by which worker processes own them, and the loop
 * of such a process. Rule: a job's record decides; whoever cannot show the record's token neither changes it nor commits.
 */
@NullMarked
package io.rask.catalog.job;

import org.jspecify.annotations.NullMarked;
