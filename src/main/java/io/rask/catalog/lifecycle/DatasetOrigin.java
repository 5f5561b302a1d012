package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.VersionManifest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StorageProfiles;
import io.rask.catalog.storage.StoreFiles;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Holds that a dataset somebody else has put into a warehouse is the warehouse's own: it lies where tables lie, and all files it
 * reads are in the same root. The server's credentials reach further than a dataset's owner may.
 */
@Component
public final class DatasetOrigin {
    private final StorageProfiles profiles;
    private final StoreFiles files;
    private final DatasetHeads heads;

    DatasetOrigin(StorageProfiles profiles, StoreFiles files, DatasetHeads heads) {
        this.profiles = profiles;
        this.files = files;
        this.heads = heads;
    }

    /**
     * Checks the dataset at a location below a root.
     *
     * @throws CatalogException code 13 when it lies among the catalog's own records, behind a link that leads out, inside another
     *     dataset, or is based on a place outside; code 13 too when there is none; code 19 when it uses features this server
     *     does not know; code 17 when it cannot be read now
     */
    public void requireOwn(StorageProfile home, String location) {
        if (profiles.touchesRecords(home, location) || !files.staysInside(home, location)) {
            throw CatalogException.invalid("The location cannot be registered: it is not the warehouse's own.");
        }
        for (int end = location.lastIndexOf('/'); end > 0; end = location.lastIndexOf('/', end - 1)) {
            if (heads.isDataset(home, location.substring(0, end))) {
                throw CatalogException.invalid("The location cannot be registered: it lies inside another dataset.");
            }
        }
        List<VersionManifest> found = heads.of(home, location);
        if (found.isEmpty()) {
            throw CatalogException.invalid("There is no Lance dataset at the location.");
        }
        for (VersionManifest head : found) {
            if (!head.isSupported()) {
                throw CatalogException.of(
                        ErrorCode.INVALID_TABLE_STATE,
                        "The dataset uses features of a newer table format, which this server does not know.");
            }
            if (!head.bases().stream()
                    .allMatch(base -> BasePlaces.surelyInside(base, home.root().uri()))) {
                throw CatalogException.invalid(
                        "The dataset reads files outside the root of the warehouse, so it cannot be registered here.");
            }
        }
    }
}
