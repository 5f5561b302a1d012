package io.rask.catalog.lance;

import org.lance.Dataset;

/** One open version of a manifest with a count of its users: it is closed when it is retired and the last user has left. */
final class ManifestHandle {
    private final Dataset dataset;
    private int users;
    private boolean retired;

    ManifestHandle(Dataset dataset) {
        this.dataset = dataset;
    }

    /** What a user does with the open version. */
    @FunctionalInterface
    interface Use<T> {
        T apply(Dataset dataset) throws Exception;
    }

    /** Whether the caller may use the version: false once it is retired. */
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

    Dataset dataset() {
        return dataset;
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
