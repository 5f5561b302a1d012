package io.rask.catalog.jobs;

import io.rask.catalog.door.ArrowResponse;
import io.rask.catalog.door.DatabaseScope;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobEvent;
import io.rask.catalog.job.JobEvents;
import io.rask.catalog.lance.SmallTable;
import io.rask.catalog.lance.SmallTable.Column;
import io.rask.catalog.lance.SmallTable.Type;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The events of a job as an Arrow stream. */
@Component
final class EventQueries {
    private static final int STANDARD_LIMIT = 1_000;
    private static final String TRUNCATED = "x-lance-truncated";

    private final KnownJobs jobs;
    private final JobEvents events;
    private final SmallTable table;

    EventQueries(KnownJobs jobs, JobEvents events, SmallTable table) {
        this.jobs = jobs;
        this.events = events;
        this.table = table;
    }

    /** A column, and where its value is found. */
    private record Shown(Column column, Function<JobEvent, @Nullable Object> value) {}

    private static Shown text(String name, Function<JobEvent, @Nullable Object> value) {
        return new Shown(new Column(name, Type.TEXT), value);
    }

    private static List<Shown> columns(String job) {
        return List.of(
                text("job_id", event -> job),
                new Shown(new Column("created_at", Type.MOMENT), JobEvent::time),
                new Shown(
                        new Column("created_at_millis", Type.NUMBER),
                        event -> event.time().toEpochMilli()),
                text("state", JobEvent::state),
                text("updated_by", JobEvent::emittedBy),
                text("emitted_from", JobEvent::emittedFrom),
                text("emitted_by", JobEvent::emittedBy),
                text("claim_entity", JobEvent::claimEntity),
                new Shown(new Column("attempt", Type.NUMBER), event -> (long) event.attempt()),
                new Shown(new Column("rows_processed", Type.NUMBER), JobEvent::rowsProcessed),
                text("message", JobEvent::message));
    }

    /**
     * Writes the events, oldest first. Whether some were left out, by the limit or because a job keeps no more, is said in a header
     * and in the schema.
     *
     * @throws CatalogException code 10 for an unknown job; code 13 for a limit below 1 or a filter that cannot be read
     */
    void write(String id, DatabaseScope scope, @Nullable Long limit, @Nullable String filter, ArrowResponse response)
            throws IOException {
        List<Shown> columns = columns(id);
        int most = limit(limit);
        Predicate<JobEvent> wanted = wanted(columns, filter);
        Job job = jobs.require(id, scope);
        JobEvents.History history = events.of(job.id());
        List<List<@Nullable Object>> found = history.events().stream()
                .filter(wanted)
                .map(event -> row(columns, event))
                .toList();
        String cut = String.valueOf(history.cut() || found.size() > most);
        table.write(
                columns.stream().map(Shown::column).toList(),
                found.subList(0, Math.min(most, found.size())),
                Map.of("truncated", cut),
                response.openStream(Map.of(TRUNCATED, cut)));
    }

    private static int limit(@Nullable Long limit) {
        if (limit != null && limit < 1) {
            throw CatalogException.invalid("The limit must be at least 1.");
        }
        return limit == null ? STANDARD_LIMIT : (int) Math.min(limit, JobEvents.MOST);
    }

    private static Predicate<JobEvent> wanted(List<Shown> columns, @Nullable String filter) {
        if (filter == null || filter.isBlank()) {
            return event -> true;
        }
        Map<String, Shown> byName = columns.stream()
                .filter(shown -> shown.column().type() != Type.MOMENT)
                .collect(Collectors.toMap(
                        shown -> shown.column().name(), Function.identity(), (a, b) -> b, LinkedHashMap::new));
        Set<String> names = byName.keySet();
        Predicate<EventFilter.Row> parsed = EventFilter.parse(filter, names);
        return event -> parsed.test(column -> {
            Shown shown = byName.get(column);
            return shown == null ? null : shown.value().apply(event);
        });
    }

    private static List<@Nullable Object> row(List<Shown> columns, JobEvent event) {
        Stream<@Nullable Object> values =
                columns.stream().map(shown -> shown.value().apply(event));
        return values.toList();
    }
}
