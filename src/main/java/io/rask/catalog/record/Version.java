package io.rask.catalog.record;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One version of a record, or of the tombstone in its place.
 *
 * @param node shared with the cache, so never changed
 * @param etag what the store replaces this version under
 * @param size the content's length in bytes
 */
record Version(RecordKey key, ObjectNode node, String etag, int size) {
    boolean isTombstone() {
        return node.path(RecordFormat.TOMBSTONE).asBoolean(false);
    }

    String writeId() {
        return node.path(RecordFormat.WRITE_ID).asString();
    }

    CatalogRecord record() {
        return new CatalogRecord(key, node);
    }

    /** Whether this version was made by the write, or by one that came after it. */
    boolean follows(String write) {
        return writeId().equals(write) || recentWrites(write);
    }

    /**
     * Whether {@link #follows} can be trusted for writes made on top of {@code base}: the list of recent writes reaches back to
     * it, or to the first write of all.
     */
    boolean reachesBackTo(@Nullable String base) {
        return node.path(RecordFormat.RECENT_WRITES).size() < RecordFormat.MAX_RECENT_WRITES
                || (base != null && follows(base));
    }

    private boolean recentWrites(String write) {
        for (JsonNode recent : node.path(RecordFormat.RECENT_WRITES)) {
            if (recent.asString().equals(write)) {
                return true;
            }
        }
        return false;
    }
}
