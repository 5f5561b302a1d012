package io.rask.catalog.job;

import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.wire.WireJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happened to jobs, in order, in records of up to {@value #BATCH} events each; nothing is ever changed or taken out. A job has
 * at most {@value #MOST} events; what comes after is left out, and that is told.
 */
@Component
public final class JobEvents {
    public static final int MOST = 10_000;
    private static final int BATCH = 100;
    private static final String FOLDER = "_jobs/events";
    private static final String EVENTS = "events";
    private static final Logger log = LoggerFactory.getLogger(JobEvents.class);
    private static final JsonMapper JSON = WireJson.mapper();

    private final Records records;

    JobEvents(Records records) {
        this.records = records;
    }

    /** All events of a job; {@code cut} when there were more than are kept. */
    public record History(List<JobEvent> events, boolean cut) {}

    /** Adds events at the end. Events are for people: a store that fails costs the event, never the work. */
    void append(String job, List<JobEvent> events) {
        try {
            List<JobEvent> rest = events;
            for (int batch = last(job); !rest.isEmpty() && batch * BATCH < MOST; batch++) {
                rest = fill(job, batch, rest);
            }
        } catch (RuntimeException e) {
            log.warn("Events of the job {} are lost.", job, e);
        }
    }

    /** The batch to write to: the first that is absent or not full. All before it are full, so half of the rest tells. */
    private int last(String job) {
        int low = 0;
        int high = MOST / BATCH;
        // Most jobs have few events, so the first is asked before the middle.
        int probe = 0;
        while (low < high) {
            if (size(job, probe) == BATCH) {
                low = probe + 1;
            } else {
                high = probe;
            }
            probe = (low + high) / 2;
        }
        return low;
    }

    private int size(String job, int batch) {
        return records.readFresh(key(job, batch))
                .map(record -> record.content().path(EVENTS).size())
                .orElse(0);
    }

    /** Puts as many events into the batch as fit; returns the others. */
    private List<JobEvent> fill(String job, int batch, List<JobEvent> events) {
        int[] taken = {0};
        RecordKey key = key(job, batch);
        Optional<CatalogRecord> there = records.mutate(key, node -> add(node, events, taken));
        if (there.isEmpty()) {
            ObjectNode first = add(JsonNodeFactory.instance.objectNode(), events, taken);
            if (records.create(key, first) instanceof Records.Creation.Existing) {
                records.mutate(key, node -> add(node, events, taken));
            }
        }
        return events.subList(taken[0], events.size());
    }

    private static ObjectNode add(ObjectNode node, List<JobEvent> events, int[] taken) {
        ArrayNode array = node.withArray(EVENTS);
        taken[0] = Math.min(events.size(), BATCH - array.size());
        events.subList(0, taken[0]).forEach(event -> array.add(JSON.<JsonNode>valueToTree(event)));
        return node;
    }

    /** Everything that is known to have happened to a job, oldest first. */
    public History of(String job) {
        List<JobEvent> events = new ArrayList<>();
        for (int batch = 0; batch * BATCH < MOST; batch++) {
            Optional<CatalogRecord> record = records.readFresh(key(job, batch));
            if (record.isEmpty()) {
                break;
            }
            record.get().content().path(EVENTS).forEach(event -> events.add(JSON.treeToValue(event, JobEvent.class)));
        }
        return new History(events, events.size() >= MOST);
    }

    /** Removes the events of a job that is forgotten. */
    void discard(String job) {
        for (int batch = 0; batch * BATCH < MOST && size(job, batch) > 0; batch++) {
            records.discard(key(job, batch));
        }
    }

    private static RecordKey key(String job, int batch) {
        return RecordKey.of(FOLDER, "%s-%04d".formatted(job, batch));
    }
}
