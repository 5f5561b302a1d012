package io.rask.catalog.lifecycle;

import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.VersionManifest;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import org.springframework.stereotype.Component;

/** Where tables live that a worker may write to. The library writes over features of other writers that it does not know. */
@Component
public final class KnownTables {
    private final Locator locator;
    private final Manifests manifests;
    private final DatasetHeads heads;

    public KnownTables(Locator locator, Manifests manifests, DatasetHeads heads) {
        this.locator = locator;
        this.manifests = manifests;
        this.heads = heads;
    }

    /**
     * Where the table lives.
     *
     * @throws CatalogException code 4 when it is not there, 19 when it uses features this server does not know
     */
    public TableLocation require(ObjectId id) {
        StorageProfile home = home(id);
        String relative = relative(home, id);
        if (!heads.of(home, relative).stream().allMatch(VersionManifest::isSupported)) {
            throw CatalogException.of(
                    ErrorCode.INVALID_TABLE_STATE,
                    "The table uses features this server does not know, so it is left alone.");
        }
        return new TableLocation(home.root().resolve(relative), home.serverOptions());
    }

    /**
     * Where the table lives, if that is where it lived when the work was asked for.
     *
     * @param expected its location below the root of its warehouse
     * @throws CatalogException as {@link #require(ObjectId)}, and code 4 when another table has the id now
     */
    public TableLocation require(ObjectId id, String expected) {
        if (!relative(home(id), id).equals(expected)) {
            throw Absence.table(id);
        }
        return require(id);
    }

    private StorageProfile home(ObjectId id) {
        return locator.locate(id).orElseThrow(() -> Absence.table(id));
    }

    private String relative(StorageProfile home, ObjectId id) {
        ManifestEntry entry = manifests.view(home.root()).table(id.stored()).orElseThrow(() -> Absence.table(id));
        return String.valueOf(entry.location());
    }
}
