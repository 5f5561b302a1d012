package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;

/** The manifest files of a table's versions as files of its store, for the one commit the library cannot make itself. */
public interface ManifestFiles {
    /**
     * Reads a whole file.
     *
     * @param place of the table or of one of its branches
     * @param name of the file in the folder of versions
     * @throws CatalogException code 17 when the store fails or has no such file
     */
    byte[] read(TableLocation place, String name);

    /**
     * Writes a file whose name nobody has used, in one step.
     *
     * @return false when the name is taken
     * @throws CatalogException code 17 when the store fails; the file may be there all the same
     */
    boolean create(TableLocation place, String name, byte[] bytes);

    /** Removes a file that no version needs; a failure leaves it behind and is nobody's business. */
    void discard(TableLocation place, String name);
}
