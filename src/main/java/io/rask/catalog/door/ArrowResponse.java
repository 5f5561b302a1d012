package io.rask.catalog.door;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.Map;

/** Where a handler writes Arrow data. The type of the answer is set when the channel is opened, so a problem keeps its own. */
public interface ArrowResponse {
    /** Says which version of the table the rows are from; before the first of them is written. */
    void ofVersion(long version);

    /** Opens the body for an Arrow file; writing to it fails when the client has gone or stalls. It stays open. */
    WritableByteChannel open() throws IOException;

    /** Opens the body for an Arrow stream, as {@link #open} does, with headers that say something about it. */
    WritableByteChannel openStream(Map<String, String> headers) throws IOException;
}
