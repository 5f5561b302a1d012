package io.rask.catalog.idempotency;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Creation;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What became of requests with a key. A claim comes before the work: it says that the request is running, and for how long that may
 * be believed. After it come the answer, or that nothing was done, or that nobody knows.
 */
@Component
public final class KeyedRequests {
    private static final Duration LEASE = Duration.ofSeconds(300);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
    private static final String STATE = "state";
    private static final String RUNNING = "running";
    private static final String DONE = "done";
    private static final String UNKNOWN = "unknown";
    private static final String ENDPOINT = "endpoint";
    private static final String REQUEST = "request";
    private static final String CLAIM = "claim";
    private static final String LEASE_UNTIL = "lease_until";
    private static final String ANSWER = "answer";

    private final Records records;
    private final Leases leases;
    private final Clock clock;

    KeyedRequests(Records records, Leases leases, Clock clock) {
        this.records = records;
        this.leases = leases;
        this.clock = clock;
    }

    /** The right to carry a request out. */
    public record Claim(KeyedRequest request, String id) {}

    /**
     * The answer of a request that was carried out; empty where it may be carried out now.
     *
     * @param repeatable whether the request does no harm where it was carried out before without anybody knowing
     * @throws CatalogException code 13 when the key is another request's; code 14 when the request is running, or may have been
     *     carried out and is not repeatable
     */
    public Optional<KeptAnswer> answered(KeyedRequest request, boolean repeatable) {
        return records.read(request.recordKey()).flatMap(record -> judged(record.content(), request, repeatable));
    }

    /**
     * Claims a request that is to be carried out now.
     *
     * @throws CatalogException as {@link #answered}; code 14 also when the same request was first elsewhere
     */
    public Claim claim(KeyedRequest request, boolean repeatable) {
        Claim claim = new Claim(request, UUID.randomUUID().toString());
        Creation creation = records.create(request.recordKey(), claimed(JsonNodeFactory.instance.objectNode(), claim));
        if (creation instanceof Creation.Existing existing) {
            takeOver(existing.record(), claim, repeatable);
        }
        return claim;
    }

    private void takeOver(CatalogRecord seen, Claim claim, boolean repeatable) {
        String before = seen.content().path(CLAIM).asString();
        if (judged(seen.content(), claim.request(), repeatable).isPresent()) {
            throw running();
        }
        boolean taken = records.mutate(
                        claim.request().recordKey(),
                        node -> node.path(CLAIM).asString().equals(before) ? claimed(node, claim) : node)
                .filter(record -> isOf(claim, record.content()))
                .isPresent();
        if (!taken) {
            throw running();
        }
    }

    private Optional<KeptAnswer> judged(ObjectNode node, KeyedRequest request, boolean repeatable) {
        if (!node.path(ENDPOINT).asString().equals(request.endpoint())
                || !node.path(REQUEST).asString().equals(request.fingerprint())) {
            throw CatalogException.invalid(
                    "The Idempotency-Key was used for another request; each request has a key of its own.");
        }
        String state = node.path(STATE).asString();
        if (state.equals(DONE)) {
            return Optional.of(KeptAnswer.unsealed(node.path(ANSWER).asString(), request));
        }
        if (state.equals(RUNNING)
                && !leases.isOver(Instant.parse(node.path(LEASE_UNTIL).asString()))) {
            throw running();
        }
        if (!repeatable) {
            throw CatalogException.of(
                    ErrorCode.CONCURRENT_MODIFICATION,
                    "Nobody knows whether the request with this Idempotency-Key was carried out. Look at the object, and use another"
                            + " key to ask again.");
        }
        return Optional.empty();
    }

    private static CatalogException running() {
        return CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "A request with this Idempotency-Key is running; ask again for its answer.")
                .retryAfter(LOOK_AGAIN);
    }

    /** Keeps the answer of a claimed request for its repeats. */
    public void done(Claim claim, KeptAnswer answer) {
        change(claim, node -> node.put(STATE, DONE).put(ANSWER, answer.sealed(claim.request())));
    }

    /** Frees the key of a claimed request that changed nothing. */
    public void free(Claim claim) {
        records.tombstone(claim.request().recordKey(), record -> isOf(claim, record.content()));
    }

    /** Says of a claimed request that it failed and may have been carried out all the same. */
    public void unknown(Claim claim) {
        change(claim, node -> node.put(STATE, UNKNOWN));
    }

    private void change(Claim claim, java.util.function.UnaryOperator<ObjectNode> change) {
        records.mutate(claim.request().recordKey(), node -> isOf(claim, node) ? change.apply(node) : node);
    }

    private ObjectNode claimed(ObjectNode node, Claim claim) {
        return node.put(STATE, RUNNING)
                .put(ENDPOINT, claim.request().endpoint())
                .put(REQUEST, claim.request().fingerprint())
                .put(CLAIM, claim.id())
                .put(LEASE_UNTIL, clock.instant().plus(LEASE).toString());
    }

    private static boolean isOf(Claim claim, ObjectNode node) {
        return node.path(CLAIM).asString().equals(claim.id());
    }
}
