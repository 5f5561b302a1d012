package io.rask.catalog.hierarchy;

import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.Records;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who has claimed which place. A bucket belongs to one project, and no warehouse's root equals, contains or lies in another's. A
 * claim is taken before anything is provisioned, so the record store decides a race.
 */
@Component
public final class StorageClaims {
    private static final String CLAIMS = "claims";
    /** A claim whose warehouse never got its record was left by a crash; until then it may still be at work. */
    private static final Duration ABANDONED = Duration.ofMinutes(15);

    private final Records records;
    private final Clock clock;

    public StorageClaims(Records records, Clock clock) {
        this.records = records;
        this.clock = clock;
    }

    /**
     * A claim of one warehouse.
     *
     * @param root the place as a URI
     */
    public record Claim(String warehouse, String project, String bucket, String root) {
        static Claim of(Warehouse warehouse) {
            return new Claim(warehouse.id(), warehouse.project(), warehouse.bucket(), warehouse.root());
        }
    }

    /**
     * Takes the claim; a repeat of the same claim succeeds.
     *
     * @param exists whether a warehouse has a record
     * @throws CatalogException code 2 when the bucket is another project's or the root touches another warehouse's
     */
    public void take(Claim claim, Predicate<String> exists) {
        ObjectNode empty = JsonNodeFactory.instance.objectNode();
        empty.putArray(CLAIMS);
        records.create(RecordKeys.claims(), empty);
        records.mutate(RecordKeys.claims(), content -> {
            ArrayNode kept = JsonNodeFactory.instance.arrayNode();
            boolean held = false;
            for (JsonNode entry : content.path(CLAIMS)) {
                Claim other = read(entry);
                if (other.equals(claim)) {
                    held = true;
                } else if (isAbandoned(entry, other, exists)) {
                    continue;
                } else {
                    refuseConflict(claim, other);
                }
                kept.add(entry);
            }
            if (!held) {
                kept.add(write(claim));
            }
            content.set(CLAIMS, kept);
            return content;
        });
    }

    /** Gives a claim up; others of the same warehouse stay. */
    public void release(Claim claim) {
        records.mutate(RecordKeys.claims(), content -> {
            ArrayNode kept = JsonNodeFactory.instance.arrayNode();
            for (JsonNode entry : content.path(CLAIMS)) {
                if (!read(entry).equals(claim)) {
                    kept.add(entry);
                }
            }
            content.set(CLAIMS, kept);
            return content;
        });
    }

    private boolean isAbandoned(JsonNode entry, Claim claim, Predicate<String> exists) {
        Instant claimedAt = Instant.parse(entry.path("claimed_at").asString());
        return claimedAt.plus(ABANDONED).isBefore(clock.instant()) && !exists.test(claim.warehouse());
    }

    private static void refuseConflict(Claim mine, Claim other) {
        boolean sameProject = mine.project().equals(other.project());
        if (mine.bucket().equals(other.bucket()) && !sameProject) {
            throw CatalogException.of(
                    ErrorCode.NAMESPACE_ALREADY_EXISTS,
                    "The bucket '" + mine.bucket() + "' belongs to another project; choose another bucket.");
        }
        if (StoreUri.parse(mine.root()).overlaps(StoreUri.parse(other.root()))) {
            // What belongs to another project is not named.
            String whose = sameProject ? "of the warehouse '" + other.warehouse() + "'" : "of another warehouse";
            throw CatalogException.of(
                    ErrorCode.NAMESPACE_ALREADY_EXISTS,
                    "The root of the warehouse would touch the root " + whose + "; choose another root.");
        }
    }

    private ObjectNode write(Claim claim) {
        ObjectNode entry = JsonNodeFactory.instance.objectNode();
        entry.put("warehouse", claim.warehouse());
        entry.put("project", claim.project());
        entry.put("bucket", claim.bucket());
        entry.put("root", claim.root());
        entry.put("claimed_at", clock.instant().toString());
        return entry;
    }

    private static Claim read(JsonNode entry) {
        return new Claim(
                entry.path("warehouse").asString(),
                entry.path("project").asString(),
                entry.path("bucket").asString(),
                entry.path("root").asString());
    }
}
