package io.rask.catalog.transaction;

import io.rask.catalog.platform.Coalescer;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.wire.WireJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The journals of changes of several tables, one record each while the changes are under way. There are few at a time. */
@Component
final class BatchJournals {
    private static final String FOLDER = "_batches";
    private static final String STATE = "state";
    private static final String JOB = "job";
    private static final String PLAN = "plan";
    private static final String PROPERTIES = "properties";
    private static final String MAKER = "maker";
    private static final JsonMapper JSON = WireJson.mapper();

    private final Records records;
    private final Coalescer<List<Batch>> open;

    BatchJournals(Records records) {
        this.records = records;
        this.open = new Coalescer<>(() -> records.all(FOLDER, Records.Unreadable.FAIL).stream()
                .map(BatchJournals::batch)
                .toList());
    }

    /** A journal, before anything of it is done; see {@link Batch} for the maker. */
    Batch begin(String id, String job, Batch.Plan plan, @Nullable String maker) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put(STATE, Batch.State.BEGUN.name());
        content.put(JOB, job);
        content.set(PLAN, JSON.valueToTree(plan));
        content.putObject(PROPERTIES);
        content.put(MAKER, maker);
        return batch(records.create(key(id), content).record());
    }

    /** All that were begun and not ended. Requests that ask at the same time share one look. */
    List<Batch> open() {
        return open.fresh();
    }

    Optional<Batch> find(String id) {
        return isId(id) ? records.read(key(id)).map(BatchJournals::batch) : Optional.empty();
    }

    /**
     * Decides, unless it is decided.
     *
     * @return the batch with what is decided
     */
    Batch decide(Batch batch, Batch.State wanted) {
        return change(batch.id(), now -> now.state() == Batch.State.BEGUN ? with(now, wanted) : now)
                .orElseThrow(() -> CatalogException.unavailable(
                        "Another server has brought the changes to their end; look before you try again.", null));
    }

    /** Changes the decision, or what clients say of the transaction; empty when it has ended. */
    Optional<Batch> change(String id, UnaryOperator<Batch> change) {
        return records.mutate(key(id), content -> {
                    Batch changed = change.apply(batch(id, content));
                    content.put(STATE, changed.state().name());
                    content.set(PROPERTIES, JSON.valueToTree(changed.properties()));
                    return content;
                })
                .map(BatchJournals::batch);
    }

    static Batch with(Batch batch, Batch.State state) {
        return new Batch(batch.id(), state, batch.job(), batch.plan(), batch.properties(), batch.maker());
    }

    /** Forgets a journal: everything is done. */
    void end(Batch batch) {
        records.discard(key(batch.id()));
    }

    private static Batch batch(CatalogRecord record) {
        return batch(record.key().name(), record.content());
    }

    private static Batch batch(String id, ObjectNode content) {
        return new Batch(
                id,
                Batch.State.valueOf(content.path(STATE).asString()),
                content.path(JOB).asString(),
                JSON.treeToValue(content.path(PLAN), Batch.Plan.class),
                properties(content),
                content.path(MAKER).asStringOpt().orElse(null));
    }

    /** What a record says of the properties of a transaction. */
    static Map<String, String> properties(ObjectNode content) {
        Map<String, String> properties = new java.util.TreeMap<>();
        content.path(PROPERTIES).forEachEntry((key, value) -> properties.put(key, value.asString()));
        return properties;
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    /** Whether a text can be the id of a transaction of ours. */
    static boolean isId(String text) {
        try {
            return UUID.fromString(text).toString().equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static RecordKey key(String id) {
        return RecordKey.of(FOLDER, id);
    }
}
