package io.rask.catalog.lance;

import org.lance.Dataset;

/** One open version of a table with a count of its users: it is closed when it is retired and the last user has left. */
final class SharedDataset {
    private final Dataset dataset;
    private int users;
    private boolean retired;

    SharedDataset(Dataset dataset) {
        this.dataset = dataset;
    }

    Dataset dataset() {
        return dataset;
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
