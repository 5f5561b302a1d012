package io.rask.catalog.door;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Caller;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobRegistry;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.wire.JobEventsRequest;
import io.rask.catalog.wire.JobRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What a caller must be allowed to see a job or to end it: as much on what the job is about. */
@Component
public final class JobRights {
    private final JobRegistry jobs;
    private final Existence existence;
    private final Authorization authorization;

    JobRights(JobRegistry jobs, Existence existence, Authorization authorization) {
        this.authorization = authorization;
        this.jobs = jobs;
        this.existence = existence;
    }

    Question of(DoorCall call) {
        Optional<Job> job = find(named(call));
        boolean ends = call.door().relation() == Relation.CAN_MAINTAIN;
        AccessObject about = job.map(this::about).orElse(AccessObject.ESTATE);
        return new Question(call.principal(), relation(about, ends), about);
    }

    /** Those of a few jobs that the caller may see. */
    public List<Job> visible(Caller caller, List<Job> found) {
        if (!authorization.isOn()) {
            return found;
        }
        List<Question> questions = found.stream()
                .map(job -> {
                    AccessObject about = about(job);
                    return new Question(caller.principal(), relation(about, false), about);
                })
                .toList();
        List<Boolean> verdicts = authorization.quietly(questions);
        List<Job> seen = IntStream.range(0, found.size())
                .filter(verdicts::get)
                .mapToObj(found::get)
                .toList();
        authorization.listed(caller, Relation.CAN_GET_METADATA, "all jobs", found.size(), seen.size());
        return seen;
    }

    /** What a job is about: its table, or where that is not there what it lay or will lie in. */
    private AccessObject about(Job job) {
        String table = job.table();
        if (table != null) {
            ObjectId id = Delimiter.STORED.split(table);
            return existence.table(id) ? AccessObject.table(id) : AccessObject.namespace(id.parent());
        }
        String warehouse = job.warehouse();
        return warehouse == null ? AccessObject.ESTATE : AccessObject.warehouse(warehouse);
    }

    private static Relation relation(AccessObject about, boolean ends) {
        return switch (about.kind()) {
            case ESTATE -> ends ? Relation.CAN_ADMINISTER : Relation.CAN_OBSERVE_EVENTS;
            // Whoever only sees the way to something below may not read what a job says of everything there.
            case NAMESPACE, WAREHOUSE -> ends ? Relation.CAN_MAINTAIN : Relation.CAN_READ_DATA;
            case PROJECT, ROLE, TABLE, MATERIALIZED_VIEW, TRANSACTION ->
                ends ? Relation.CAN_MAINTAIN : Relation.CAN_GET_METADATA;
        };
    }

    private Optional<Job> find(@Nullable String id) {
        if (id == null || id.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(jobs.require(id));
        } catch (CatalogException e) {
            if (e.code() == ErrorCode.SERVICE_UNAVAILABLE || e.code() == ErrorCode.INTERNAL) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static @Nullable String named(DoorCall call) {
        return switch (call.body().orElse(null)) {
            case JobRequest one -> one.jobId();
            case JobEventsRequest events -> events.jobId();
            case null, default -> null;
        };
    }
}
