package io.rask.catalog.lifecycle;

import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.storage.StorageProfile;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Places whose table was taken out of the catalog with its bytes kept on purpose. Without the record, what a deregistration leaves
 * would look like what a drop has not yet deleted.
 */
@Component
public final class KeptBytes {
    private static final String FOLDER = "_kept";

    private final Records records;

    public KeptBytes(Records records) {
        this.records = records;
    }

    /** Marks a place; to be called before its table leaves the catalog. */
    public void keep(StorageProfile home, String location) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("location", place(home, location));
        records.put(key(home, location), content);
    }

    /** Forgets a place whose table is registered, or dropped for good. */
    public void forget(StorageProfile home, String location) {
        records.tombstone(key(home, location), any -> true);
    }

    boolean isKept(StorageProfile home, String location) {
        return records.readFresh(key(home, location)).isPresent();
    }

    private static RecordKey key(StorageProfile home, String location) {
        return RecordKey.of(FOLDER, RecordKey.hashed("location", place(home, location)));
    }

    private static String place(StorageProfile home, String location) {
        return home.root().resolve(location);
    }
}
