package io.rask.catalog.record;

import io.rask.catalog.record.Records.Creation;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Leases, each a record. A holder stops at {@code expires_at} by its own clock; another takes over only when that moment lies
 * further back, by the other's clock, than two clocks may differ. So there are never two holders at once, as long as no two
 * clocks differ by more than that and a holder looks at its clock before it acts. A holder that was suspended between the look
 * and the act is what the fencing token is for.
 *
 * <p>A lease's record is never removed, because the tokens would begin again.
 */
public final class Leases {
    private static final String OWNER = "owner";
    private static final String TOKEN = "token";
    private static final String EXPIRES_AT = "expires_at";
    /** The id of the one acquisition that made the lease; an owner may come twice. */
    private static final String GRANT = "grant";

    private final Records records;
    private final Clock clock;
    private final Duration clockDifference;

    /** @param clockDifference how much the clocks of two servers may differ */
    public Leases(Records records, Clock clock, Duration clockDifference) {
        this.records = records;
        this.clock = clock;
        this.clockDifference = clockDifference;
    }

    /**
     * Takes the lease if nobody holds it, not even the same owner.
     *
     * @return empty if somebody holds it, or took it at the same moment
     */
    public Optional<Lease> acquire(RecordKey key, String owner, Duration length) {
        String grant = UUID.randomUUID().toString();
        Optional<CatalogRecord> record =
                records.mutate(key, node -> isFree(node) ? granted(node, owner, grant, length) : node);
        if (record.isEmpty()) {
            Creation creation =
                    records.create(key, granted(JsonNodeFactory.instance.objectNode(), owner, grant, length));
            record = Optional.of(creation.record());
        }
        return record.map(CatalogRecord::content)
                .filter(node -> node.path(GRANT).asString("").equals(grant))
                .map(node -> lease(key, node));
    }

    /**
     * Holds the lease for another {@code length} from now. Works after it expired too, if nobody took it since.
     *
     * @return empty if the lease was lost; the holder must stop
     */
    public Optional<Lease> renew(Lease lease, Duration length) {
        return records.mutate(lease.key(), node -> isOf(lease, node) ? node.put(EXPIRES_AT, end(length)) : node)
                .map(CatalogRecord::content)
                .filter(node -> isOf(lease, node))
                .map(node -> lease(lease.key(), node));
    }

    /** Gives the lease back, so that another need not wait for its end; does nothing if it was lost. */
    public void release(Lease lease) {
        records.mutate(lease.key(), node -> {
            if (isOf(lease, node)) {
                node.remove(EXPIRES_AT);
            }
            return node;
        });
    }

    private boolean isFree(ObjectNode node) {
        JsonNode expiresAt = node.path(EXPIRES_AT);
        return expiresAt.isMissingNode() || isOver(Instant.parse(expiresAt.asString()));
    }

    /** Whether another may take what somebody held until a moment of its own clock: the one rule of all that is leased. */
    public boolean isOver(Instant expiresAt) {
        return expiresAt.plus(clockDifference).isBefore(clock.instant());
    }

    private ObjectNode granted(ObjectNode node, String owner, String grant, Duration length) {
        return node.put(OWNER, owner)
                .put(TOKEN, node.path(TOKEN).asLong(0) + 1)
                .put(GRANT, grant)
                .put(EXPIRES_AT, end(length));
    }

    private String end(Duration length) {
        return clock.instant().plus(length).toString();
    }

    private static boolean isOf(Lease lease, ObjectNode node) {
        return node.path(TOKEN).asLong(0) == lease.token() && node.has(EXPIRES_AT);
    }

    private static Lease lease(RecordKey key, ObjectNode node) {
        return new Lease(
                key,
                node.path(OWNER).asString(),
                node.path(TOKEN).asLong(),
                Instant.parse(node.path(EXPIRES_AT).asString()));
    }
}
