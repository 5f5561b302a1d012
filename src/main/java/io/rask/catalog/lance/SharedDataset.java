package io.rask.catalog.lance;

import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Version;

/**
 * One open version of a table with a count of its users: it is closed when it is retired and the last user has left. What a version
 * says of itself never changes, and the library builds it anew for each question; so it is asked once.
 */
final class SharedDataset {
    private final Dataset dataset;
    private volatile @Nullable Version version;
    private volatile @Nullable Schema schema;
    private int users;
    private boolean retired;

    SharedDataset(Dataset dataset) {
        this.dataset = dataset;
    }

    Dataset dataset() {
        return dataset;
    }

    /** The number of the version that is open. */
    long version() {
        return description().getId();
    }

    /** The bytes of the version's files, deleted rows included. */
    long fileBytes() {
        return description().getManifestSummary().getTotalFilesSize();
    }

    private Version description() {
        Version known = version;
        if (known == null) {
            version = known = dataset.getVersion();
        }
        return known;
    }

    Schema schema() {
        Schema known = schema;
        if (known == null) {
            schema = known = dataset.getSchema();
        }
        return known;
    }

    /** Whether the caller may use the version: false once it is retired. Each success needs one {@link #leave()}. */
    synchronized boolean enter() {
        if (retired) {
            return false;
        }
        users++;
        return true;
    }

    synchronized void leave() {
        users--;
        closeWhenUnused();
    }

    synchronized void retire() {
        retired = true;
        closeWhenUnused();
    }

    private void closeWhenUnused() {
        if (retired && users == 0 && !dataset.closed()) {
            dataset.close();
        }
    }
}
