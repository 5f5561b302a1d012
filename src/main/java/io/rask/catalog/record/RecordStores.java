package io.rask.catalog.record;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.StoreUri;

/** Makes the store the settings ask for. */
public final class RecordStores {
    private RecordStores() {}

    /**
     * Opens the store of the configured control root. Nothing is asked of it yet, so a store that is down does not stop the start.
     *
     * @throws IllegalArgumentException naming the setting that does not fit
     */
    public static RecordStore open(CatalogProperties properties) {
        return switch (properties.controlRoot()) {
            case StoreUri.Folder folder -> new FileRecordStore(folder.path());
            case StoreUri.Bucket bucket -> new S3RecordStore(S3Clients.of(properties), bucket);
        };
    }
}
