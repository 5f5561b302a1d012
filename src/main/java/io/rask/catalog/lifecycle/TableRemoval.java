package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.TableFiles;
import io.rask.catalog.storage.StorageProfile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Deletes the bytes of tables that the catalog no longer holds. What cannot be shown to be unused stays. */
@Component
public final class TableRemoval {
    private static final Logger log = LoggerFactory.getLogger(TableRemoval.class);

    private final Manifests manifests;
    private final TableFiles files;

    public TableRemoval(Manifests manifests, TableFiles files) {
        this.manifests = manifests;
        this.files = files;
    }

    /**
     * Deletes the bytes of a table whose row is gone. The table is dropped by then, so a failure leaves bytes behind and is the
     * operator's to see, not the client's.
     */
    public void removeBytes(StorageProfile home, ManifestEntry dropped) {
        String location = dropped.location();
        if (location == null) {
            return;
        }
        try {
            if (!remove(home, location)) {
                log.warn(
                        "The bytes of {} in {} stay: another object uses them or they are out of bounds.",
                        location,
                        home);
            }
        } catch (RuntimeException e) {
            log.warn("The bytes of the dropped table at {} in {} could not be deleted.", location, home, e);
        }
    }

    /**
     * Deletes the bytes at a location that no row names.
     *
     * @return false when they stay, because another object uses them or they are out of bounds
     */
    boolean remove(StorageProfile home, String location) {
        if (!mayDelete(home, location)) {
            return false;
        }
        files.delete(home.root(), location);
        return true;
    }

    private boolean mayDelete(StorageProfile home, String location) {
        return TableFiles.isInside(location) && !manifests.view(home.root()).isLocationInUse(location);
    }
}
