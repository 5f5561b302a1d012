package io.rask.catalog.door;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** Where a handler writes an Arrow file. The type of the answer is set when the channel is opened, so a problem keeps its own. */
@FunctionalInterface
public interface ArrowResponse {
    /** Opens the body; writing to it fails when the client has gone or stalls. It stays open. */
    WritableByteChannel open() throws IOException;
}
