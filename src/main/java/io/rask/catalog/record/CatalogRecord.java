package io.rask.catalog.record;

import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/**
 * A record as it was read or written.
 *
 * @param content the fields, with those every record has: {@code format}, {@code write_id}, {@code created_at},
 *     {@code updated_at}; each call gives a copy of its own
 */
public record CatalogRecord(RecordKey key, ObjectNode content) {
    @Override
    public ObjectNode content() {
        return content.deepCopy();
    }

    /** The random id of the write that made this version; two versions never share one. */
    public String writeId() {
        return content.path(RecordFormat.WRITE_ID).asString();
    }

    /** When the record was created; after a tombstone, when it was created again. */
    public Instant createdAt() {
        return Instant.parse(content.path(RecordFormat.CREATED_AT).asString());
    }

    public Instant updatedAt() {
        return Instant.parse(content.path(RecordFormat.UPDATED_AT).asString());
    }
}
