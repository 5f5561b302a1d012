package io.rask.catalog.transaction;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.OldRecords;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.wire.TransactionStatus;
import io.rask.catalog.wire.WireJson;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The transactions of the catalog: those under way, which are the journals of batches, and those that have ended, one record each
 * for a while; and what clients have said of the transactions of tables.
 */
@Component
final class TransactionRegistry {
    private static final Logger log = LoggerFactory.getLogger(TransactionRegistry.class);
    private static final String ENDED = "_transactions";
    private static final String OF_TABLES = "_table-transactions";
    private static final Duration KEPT = Duration.ofDays(7);
    private static final int CLEAN_EVERY = OldRecords.AT_ONCE / 2;
    private static final JsonMapper JSON = WireJson.mapper();

    private final Records records;
    private final OldRecords old;
    private final BatchJournals journals;
    private final Clock clock;
    private final AtomicInteger sinceCleaning = new AtomicInteger();

    TransactionRegistry(Records records, BatchJournals journals, Clock clock) {
        this.records = records;
        this.old = new OldRecords(records, ENDED, false);
        this.journals = journals;
        this.clock = clock;
    }

    /** Notes how a batch has ended; the first note stays. */
    void ended(Batch batch, TransactionStatus status) {
        records.create(
                key(batch.id()),
                content(new TransactionState(status, batch.properties(), TransactionState.told(batch))));
        if (sinceCleaning.incrementAndGet() % CLEAN_EVERY == 0) {
            forgetOld();
        }
    }

    /** A request does this, so it is a round and not all there is: each round is larger than what came since the last. */
    private void forgetOld() {
        try {
            old.forget(clock.instant().minus(KEPT));
        } catch (RuntimeException e) {
            // What the request wanted has happened; a later one cleans up.
            log.warn("Transactions that ended long ago stay for now.", e);
        }
    }

    /** The transaction of an id. */
    Optional<TransactionState> find(String id) {
        if (!BatchJournals.isId(id)) {
            return Optional.empty();
        }
        // It may end between the two looks.
        return ended(id).or(() -> journals.find(id).map(TransactionState::of)).or(() -> ended(id));
    }

    private Optional<TransactionState> ended(String id) {
        return records.read(key(id)).map(TransactionRegistry::state);
    }

    /** Changes a transaction; empty when there is none of the id. */
    Optional<TransactionState> change(String id, UnaryOperator<TransactionState> change) {
        if (!BatchJournals.isId(id)) {
            return Optional.empty();
        }
        return changeEnded(id, change)
                .or(() -> journals.change(id, batch -> changed(batch, change)).map(TransactionState::of))
                .or(() -> changeEnded(id, change));
    }

    private Optional<TransactionState> changeEnded(String id, UnaryOperator<TransactionState> change) {
        return records.mutate(key(id), content -> written(content, change.apply(state(content))))
                .map(TransactionRegistry::state);
    }

    private static Batch changed(Batch batch, UnaryOperator<TransactionState> change) {
        TransactionState after = change.apply(TransactionState.of(batch));
        if (batch.state() != Batch.State.BEGUN && !after.properties().equals(batch.properties())) {
            throw CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION, "The transaction is about to end; try again in a moment.");
        }
        Batch.State state = after.status() == TransactionStatus.CANCELED ? Batch.State.CANCELED : batch.state();
        return new Batch(batch.id(), state, batch.job(), batch.plan(), after.properties(), batch.maker());
    }

    /** The transaction of a table with what clients have said of it. */
    TransactionState ofTable(String place, TransactionState committed) {
        return records.read(keyOfTable(place))
                .map(record -> committed.with(BatchJournals.properties(record.content())))
                .orElse(committed);
    }

    /** Changes what clients say of the transaction of a table. */
    TransactionState changeOfTable(String place, TransactionState committed, UnaryOperator<TransactionState> change) {
        TransactionState changed = change.apply(ofTable(place, committed));
        ObjectNode content = content(changed).put("transaction", place);
        if (records.create(keyOfTable(place), content) instanceof Records.Creation.Created) {
            return changed;
        }
        return records.mutate(
                        keyOfTable(place),
                        now -> written(now, change.apply(committed.with(BatchJournals.properties(now)))))
                .map(record -> committed.with(BatchJournals.properties(record.content())))
                .orElse(committed);
    }

    private static TransactionState state(CatalogRecord record) {
        return state(record.content());
    }

    private static TransactionState state(ObjectNode content) {
        return new TransactionState(
                TransactionStatus.of(content.path("status").asString()),
                BatchJournals.properties(content),
                BatchJournals.properties(
                        content.path("told") instanceof ObjectNode told
                                ? JsonNodeFactory.instance.objectNode().set("properties", told)
                                : JsonNodeFactory.instance.objectNode()));
    }

    private static ObjectNode content(TransactionState state) {
        return written(JsonNodeFactory.instance.objectNode(), state);
    }

    private static ObjectNode written(ObjectNode content, TransactionState state) {
        content.put("status", state.status().wireName());
        content.set("properties", JSON.valueToTree(state.properties()));
        content.set("told", JSON.valueToTree(state.told()));
        return content;
    }

    private static RecordKey key(String id) {
        return RecordKey.of(ENDED, id);
    }

    private static RecordKey keyOfTable(String place) {
        return RecordKey.of(OF_TABLES, RecordKey.hashed("transaction", place));
    }
}
