package io.rask.catalog.jobs;

import io.rask.catalog.door.DatabaseScope;
import io.rask.catalog.id.Delimiter;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobRegistry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The jobs that a request knows of: in a database those of its own tables, by the names inside it, and every other is absent. */
@Component
final class KnownJobs {
    /** The fields of specs that hold the id of the table. */
    private static final List<String> IDS = List.of("table", "view");

    private final JobRegistry jobs;

    KnownJobs(JobRegistry jobs) {
        this.jobs = jobs;
    }

    /** Code 10 for a job that is not there, or is of another database. */
    Job require(String id, DatabaseScope scope) {
        Job job = jobs.require(id);
        if (!isIn(scope, job)) {
            throw JobRegistry.absent(id);
        }
        return job;
    }

    static boolean isIn(DatabaseScope scope, Job job) {
        String table = job.table();
        return scope.isWhole() || (table != null && scope.holds(Delimiter.STORED.split(table)));
    }

    /** What a client in the scope calls the table; null for none. */
    static @Nullable String table(DatabaseScope scope, Job job) {
        String table = job.table();
        return table == null || scope.isWhole()
                ? table
                : scope.relative(Delimiter.STORED.split(table)).stored();
    }

    /** What the kind was told, with the id of the table as a client in the scope knows it. */
    static ObjectNode spec(DatabaseScope scope, Job job) {
        ObjectNode spec = job.spec().deepCopy();
        if (job.table() == null || scope.isWhole()) {
            return spec;
        }
        ObjectId table = Delimiter.STORED.split(Objects.requireNonNull(job.table()));
        for (String field : IDS) {
            if (segments(spec.path(field)).equals(table.segments())) {
                ArrayNode relative = spec.putArray(field);
                scope.relative(table).segments().forEach(relative::add);
            }
        }
        return spec;
    }

    private static List<String> segments(JsonNode id) {
        return id.valueStream().map(segment -> segment.asString("")).toList();
    }
}
