package io.rask.catalog.hierarchy;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.Optional;

/** Which names cannot be given although nothing that is to be seen has them. */
public interface ReservedNames {
    /** The warehouse whose root may keep the name of a top-level namespace that is bound nowhere. */
    Optional<String> mayBeKeptIn(ObjectId topLevel);

    /**
     * What is answered to a request for a name that a row keeps without being seen.
     *
     * It asks no store: a commit may have met the row. The text is looked up when it is told.
     *
     * @param code what the operation answers where a name is taken
     * @return that code for what is in the trash, code 14 for what is being dropped
     */
    CatalogException taken(ObjectId id, ManifestEntry row, ErrorCode code);
}
