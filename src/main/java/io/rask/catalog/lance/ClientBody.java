package io.rask.catalog.lance;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a request, for native code that may go on when the request is over: from then on there is nothing to be read, because
 * the container uses the stream for the next request.
 */
final class ClientBody extends FilterInputStream {
    private boolean over;

    ClientBody(InputStream in) {
        super(in);
    }

    @Override
    public synchronized int read() throws IOException {
        requireCurrent();
        return in.read();
    }

    @Override
    public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
        requireCurrent();
        return in.read(bytes, offset, length);
    }

    @Override
    public synchronized int available() throws IOException {
        requireCurrent();
        return in.available();
    }

    /** The stream belongs to the container. */
    @Override
    public void close() {}

    /** Ends the reading; waits for one that is under way. */
    synchronized void end() {
        over = true;
    }

    private void requireCurrent() throws IOException {
        if (over) {
            throw new IOException("the request is over");
        }
    }
}
