package io.rask.catalog.job;

import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.RecordPage;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/**
 * The records of jobs in two folders, so that looking for work never walks over what is finished. The open record alone is changed;
 * once its state is terminal it is copied to the finished ones and goes. A crash in between leaves an open record in a terminal
 * state, which whoever meets it moves on.
 */
@Component
final class JobRecords {
    static final String OPEN = "_jobs/open";
    static final String FINISHED = "_jobs/finished";
    private static final String KEPT = "_jobs/kept";

    private final Records records;

    JobRecords(Records records) {
        this.records = records;
    }

    private static RecordKey open(String id) {
        return RecordKey.of(OPEN, id);
    }

    static RecordKey finished(String id) {
        return RecordKey.of(FINISHED, id);
    }

    Job create(String id, ObjectNode content) {
        return Job.of(records.create(open(id), content).record());
    }

    Optional<Job> find(String id) {
        if (!JobIds.isId(id)) {
            return Optional.empty();
        }
        // One that moves while it is looked for is found at the second look at the finished ones.
        return records.readFresh(finished(id))
                .or(() -> records.readFresh(open(id)))
                .or(() -> records.readFresh(finished(id)))
                .map(Job::of);
    }

    /**
     * Changes an open job; what the change returns unmodified is not written.
     *
     * @return the job afterwards; empty when it is not open (any more)
     */
    Optional<Job> change(String id, UnaryOperator<ObjectNode> change) {
        Optional<CatalogRecord> changed = records.mutate(open(id), node -> checked(node, change));
        changed.filter(record -> Job.of(record).state().isTerminal()).ifPresent(this::finish);
        return changed.map(Job::of);
    }

    private static ObjectNode checked(ObjectNode node, UnaryOperator<ObjectNode> change) {
        JobState before = JobState.ofRecord(node.path(JobFields.STATE).asString());
        if (before.isTerminal()) {
            return node;
        }
        ObjectNode changed = change.apply(node);
        JobState after = JobState.ofRecord(changed.path(JobFields.STATE).asString());
        if (after != before && !before.mayBecome(after)) {
            throw new IllegalStateException("a job cannot go from " + before + " to " + after);
        }
        return changed;
    }

    private void finish(CatalogRecord terminal) {
        String id = terminal.key().name();
        records.create(finished(id), terminal.content());
        if (terminal.content().has(JobFields.KEPT)) {
            discardKept(id);
        }
        records.tombstone(open(id), record -> true);
    }

    /** Takes an open job out of the registry as if it had never been; what has begun stays. */
    void withdraw(String id) {
        records.tombstone(open(id), record -> Job.of(record).attempts() == 0);
    }

    /** Adds to what attempts at a job have kept, under the first number from {@code from} on that is free, and returns that. */
    int keep(String id, int from, ObjectNode work) {
        int number = from;
        while (records.readFresh(kept(id, number)).isPresent()
                || records.create(kept(id, number), work) instanceof Records.Creation.Existing) {
            number++;
        }
        return number;
    }

    /** What attempts at a job have kept, oldest first. */
    List<ObjectNode> kept(String id) {
        List<ObjectNode> kept = new ArrayList<>();
        Optional<CatalogRecord> next = records.read(kept(id, 0));
        while (next.isPresent()) {
            kept.add(next.get().content());
            next = records.read(kept(id, kept.size()));
        }
        return kept;
    }

    /** Removes what attempts at a job have kept, the first at last: where it ends in the middle, it can begin again. */
    void discardKept(String id) {
        for (int number = kept(id).size() - 1; number >= 0; number--) {
            records.discard(kept(id, number));
        }
    }

    private static RecordKey kept(String id, int number) {
        return RecordKey.of(KEPT, "%s-%06d".formatted(id, number));
    }

    /** The jobs that are not finished, oldest first. */
    List<Job> open() {
        List<Job> open = new ArrayList<>();
        for (CatalogRecord record : records.all(OPEN, Unreadable.SKIP)) {
            if (Job.of(record).state().isTerminal()) {
                finish(record);
            } else {
                open.add(Job.of(record));
            }
        }
        return open;
    }

    RecordPage page(String folder, @Nullable String after, int limit) {
        return records.list(
                folder, after == null ? null : RecordKey.of(folder, after).value(), limit, Unreadable.SKIP);
    }
}
