package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.operation.Operation;

/**
 * Versions that are made beside a table's line of versions, where no reader and no listing sees them. They go when this is closed; a
 * crash before that leaves files that no version needs.
 */
final class DetachedVersions implements AutoCloseable {
    private static final String SUFFIX = ".manifest";

    private final ManifestFiles files;
    private final TableLocation place;
    private final List<String> made = new ArrayList<>();

    /** @param place of the table or of one of its branches */
    DetachedVersions(ManifestFiles files, TableLocation place) {
        this.files = files;
        this.place = place;
    }

    static Transaction transaction(Dataset table, Operation change) {
        return new Transaction.Builder()
                .readVersion(table.version())
                .operation(change)
                .build();
    }

    /**
     * Makes a version; it is the caller's to close.
     *
     * @throws CatalogException code 0 when the table's versions are named in the old way
     */
    Dataset make(Dataset table, Transaction transaction) {
        try (transaction) {
            Dataset version = new CommitBuilder(table).detached(true).execute(transaction);
            made.add(name(version));
            return version;
        } catch (RuntimeException e) {
            if (NativeErrors.text(e).contains("v1 manifest paths")) {
                throw CatalogException.of(
                        ErrorCode.UNSUPPORTED,
                        "The versions of the table are named in the old way, in which its columns cannot be changed here.",
                        e);
            }
            throw e;
        }
    }

    /** As {@link #make}, for a version that need not be open; the name of its file. */
    String added(Dataset table, Transaction transaction) {
        try (Dataset version = make(table, transaction)) {
            return name(version);
        }
    }

    /** The name of the file of a version. */
    static String name(Dataset detached) {
        return "d" + Long.toUnsignedString(detached.version()) + SUFFIX;
    }

    @Override
    public void close() {
        made.forEach(name -> files.discard(place, name));
    }
}
