package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.record.CatalogRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is known of something in the trash beside its row. A record alone says nothing: only together with a row that is trashed it is
 * about something.
 *
 * @param kind {@code table} or {@code namespace}
 * @param id the stored id
 * @param location where a table lies, below the root of its warehouse; null for a namespace
 * @param droppedBy who dropped it, as identity named them
 * @param expiresAt from when on its bytes may be deleted; it can be brought back after that as long as they are there
 * @param droppedWith the stored id of what was dropped: this object, or the namespace it went with
 * @param warehouse null without warehouses
 * @param root the root of the warehouse, as a URI
 * @param bound whether the object was bound to its warehouse
 */
public record TrashRecord(
        String kind,
        String id,
        @Nullable String location,
        String droppedBy,
        Instant droppedAt,
        Instant expiresAt,
        String droppedWith,
        @Nullable String warehouse,
        String root,
        boolean bound) {
    static final String NAMESPACE = "namespace";
    static final String TABLE = "table";

    static String kindOf(ManifestEntry entry) {
        return entry.restored().isNamespace() ? NAMESPACE : TABLE;
    }

    static TrashRecord of(CatalogRecord record) {
        ObjectNode content = record.content();
        return new TrashRecord(
                content.path("kind").asString(""),
                content.path("id").asString(""),
                text(content, "location"),
                content.path("dropped_by").asString(""),
                instant(content, "dropped_at"),
                instant(content, "expires_at"),
                content.path("dropped_with").asString(""),
                text(content, "warehouse_id"),
                content.path("root_uri").asString(""),
                content.has("binding"));
    }

    ObjectNode content() {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("kind", kind);
        content.put("id", id);
        content.put("location", location);
        content.put("dropped_by", droppedBy);
        content.put("dropped_at", droppedAt.toString());
        content.put("expires_at", expiresAt.toString());
        content.put("dropped_with", droppedWith);
        content.put("warehouse_id", warehouse);
        content.put("root_uri", root);
        if (bound) {
            content.putObject("binding").put("warehouse_id", warehouse).put("root_uri", root);
        }
        return content;
    }

    private static @Nullable String text(ObjectNode content, String field) {
        JsonNode value = content.path(field);
        return value.isString() ? value.asString() : null;
    }

    /** A time that is not there is long ago: what cannot be told must not keep anything from being looked at. */
    private static Instant instant(ObjectNode content, String field) {
        String value = text(content, field);
        return value == null ? Instant.EPOCH : Instant.parse(value);
    }
}
