package io.rask.catalog.hierarchy;

import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.storage.StorageRequest;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A warehouse: one place for tables, owned by one project.
 *
 * @param bucket the bucket, or the folder below the server's root, that the project has claimed
 * @param root where it lives, as a URI
 * @param ownRoot whether the root was asked for, rather than derived from the bucket
 * @param endpoint an S3 endpoint of its own, or null for the server's
 * @param credential the name of a credential reference, or null for the server's own
 * @param isProtected whether a delete without force is refused
 * @param protectionSetBy who said so last; null when nobody has since the creation
 */
public record Warehouse(
        String id,
        String project,
        String bucket,
        String root,
        boolean ownRoot,
        @Nullable String endpoint,
        @Nullable String region,
        @Nullable String credential,
        Status status,
        boolean isProtected,
        @Nullable String protectionSetBy,
        Instant createdAt,
        String createdBy) {

    /** Whether a warehouse serves requests. */
    public enum Status {
        ACTIVE,
        /** Refuses everything below it until it is activated again. */
        DEACTIVATED,
        /** A delete has begun: nothing new may be put into it. */
        DELETING;

        /** The status as records and answers spell it. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Warehouse of(CatalogRecord record) {
        ObjectNode content = record.content();
        return new Warehouse(
                content.path("id").asString(),
                content.path("project").asString(),
                content.path("bucket").asString(),
                content.path("root_uri").asString(),
                content.path("own_root").asBoolean(false),
                text(content, "endpoint"),
                text(content, "region"),
                text(content, "credential"),
                status(content),
                content.path("protected").asBoolean(false),
                text(content, "protection_set_by"),
                record.createdAt(),
                content.path("created_by").asString(""));
    }

    /** A record without a status is active: that is how older catalogs write it. */
    static Status status(ObjectNode content) {
        return Status.valueOf(content.path("status").asString("active").toUpperCase(Locale.ROOT));
    }

    /** What the storage layer needs to reach the warehouse. */
    public StorageRequest storage() {
        return new StorageRequest(project, bucket, ownRoot ? root : null, endpoint, region, credential);
    }

    private static @Nullable String text(ObjectNode content, String field) {
        JsonNode value = content.path(field);
        return value.isString() ? value.asString() : null;
    }
}
