package io.rask.catalog.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a job.
 *
 * @param state what happened: {@code queued}, {@code claim}, {@code progress}, {@code retry}, {@code claim_complete}, {@code done}, …
 * @param emittedBy the process that tells
 * @param emittedFrom its role, {@code server} or {@code worker}
 * @param claimEntity the worker that owned the job then, or null
 * @param attempt the attempt it belongs to; 0 before the first
 * @param rowsProcessed how many rows, fragments or objects were done by then, where that is known
 * @param message for people
 */
public record JobEvent(
        Instant time,
        String state,
        String emittedBy,
        String emittedFrom,
        @Nullable String claimEntity,
        int attempt,
        @Nullable Long rowsProcessed,
        String message) {}
