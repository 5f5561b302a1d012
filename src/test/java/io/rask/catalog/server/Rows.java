package io.rask.catalog.server;

import io.rask.catalog.testing.ArrowStreams;

/** Rows that several tests insert. */
final class Rows {
    /** The ids 1 to 3. */
    static final byte[] THREE = ArrowStreams.longs("id", 1, 2, 3);

    private Rows() {}
}
