package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.Optional;

/** The cheapest look at which version of a table is the latest: at the names of its manifest files, without opening the table. */
public interface NewestManifests {
    /**
     * A manifest file, told from every other that was at its place or will be.
     *
     * @param version its number
     * @param tag changes whenever another file has the name
     */
    record Stamp(long version, String tag) {}

    /**
     * The newest manifest file of a table's main branch as of now.
     *
     * @return empty where there is none, or where its name does not tell
     * @throws CatalogException code 17 when the store fails
     */
    Optional<Stamp> of(TableLocation table);
}
