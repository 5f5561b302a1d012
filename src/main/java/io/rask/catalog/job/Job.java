package io.rask.catalog.job;

import io.rask.catalog.access.Principal;
import io.rask.catalog.record.CatalogRecord;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job as its record has it.
 *
 * @param id sorts by creation
 * @param kind what does it
 * @param table the stored id of the table it is about, or null
 * @param warehouse the warehouse it is about, or null
 * @param spec what the kind was told
 * @param askedBy who asked for it; null where nobody did, or nobody noted it
 * @param attempts how many have begun
 * @param isPatient whether more than the most attempts may follow, for as long as that may help
 * @param notBefore no worker takes it earlier
 * @param worker who owns it, or owned it last
 * @param token the fencing token: grows with each owner
 * @param grant the one taking the lease comes from: a worker may take a job twice
 * @param leaseEnd until when it is owned, by the owner's clock
 * @param phase what the owner was doing when last heard of
 * @param intent what an attempt was about to commit, so that the next can tell whether it did
 */
public record Job(
        String id,
        String kind,
        @Nullable String table,
        @Nullable String warehouse,
        ObjectNode spec,
        @Nullable Principal askedBy,
        JobState state,
        int attempts,
        int maxAttempts,
        boolean isPatient,
        Instant createdAt,
        Instant updatedAt,
        Instant notBefore,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String worker,
        long token,
        String grant,
        @Nullable Instant leaseEnd,
        String phase,
        @Nullable Progress progress,
        @Nullable ObjectNode result,
        @Nullable JobFailure failure,
        boolean cancelRequested,
        @Nullable ObjectNode intent) {

    /** How far a job is. */
    public record Progress(long done, long total, String unit) {}

    static Job of(CatalogRecord record) {
        return of(record.content());
    }

    /** Reads a record's content, as it is in the store or about to be. */
    static Job of(ObjectNode node) {
        String id = node.path(JobFields.ID).asString();
        return new Job(
                id,
                node.path(JobFields.KIND).asString(),
                text(node, JobFields.TABLE),
                text(node, JobFields.WAREHOUSE),
                node.withObject(JobFields.SPEC),
                Asker.read(node.path(JobFields.ASKED_BY)).orElse(null),
                JobState.ofRecord(node.path(JobFields.STATE).asString()),
                node.path(JobFields.ATTEMPTS).asInt(),
                node.path(JobFields.MAX_ATTEMPTS).asInt(),
                node.path(JobFields.PATIENT).asBoolean(false),
                JobIds.momentOf(id),
                instant(node, "updated_at").orElse(Instant.EPOCH),
                instant(node, JobFields.NOT_BEFORE).orElse(Instant.EPOCH),
                instant(node, JobFields.STARTED_AT).orElse(null),
                instant(node, JobFields.FINISHED_AT).orElse(null),
                text(node, JobFields.WORKER),
                node.path(JobFields.TOKEN).asLong(0),
                node.path(JobFields.GRANT).asString(""),
                instant(node, JobFields.LEASE_END).orElse(null),
                node.path(JobFields.PHASE).asString(""),
                progress(node.path(JobFields.PROGRESS)),
                object(node, JobFields.RESULT),
                failure(node.path(JobFields.FAILURE)),
                node.path(JobFields.CANCEL_REQUESTED).asBoolean(false),
                object(node, JobFields.INTENT));
    }

    private static @Nullable Progress progress(JsonNode node) {
        return node.isObject()
                ? new Progress(
                        node.path("done").asLong(),
                        node.path("total").asLong(),
                        node.path("unit").asString(""))
                : null;
    }

    private static @Nullable JobFailure failure(JsonNode node) {
        return node.isObject()
                ? new JobFailure(
                        node.path("phase").asString(""),
                        node.path("message").asString(""),
                        node.path("retryable").asBoolean(false),
                        node.path("code").isInt() ? node.path("code").asInt() : null)
                : null;
    }

    private static Optional<Instant> instant(ObjectNode node, String field) {
        return Optional.ofNullable(text(node, field)).map(Instant::parse);
    }

    private static @Nullable String text(ObjectNode node, String field) {
        JsonNode value = node.path(field);
        return value.isString() ? value.asString() : null;
    }

    private static @Nullable ObjectNode object(ObjectNode node, String field) {
        return node.path(field) instanceof ObjectNode object ? object : null;
    }
}
