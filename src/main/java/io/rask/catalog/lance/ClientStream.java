package io.rask.catalog.lance;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The way to a client, which remembers that the client has gone: then nobody is left to be told of a failure. */
final class ClientStream extends FilterOutputStream {
    private @Nullable IOException gone;

    ClientStream(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int b) throws IOException {
        try {
            out.write(b);
        } catch (IOException e) {
            throw gone = e;
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw gone = e;
        }
    }

    /** The stream belongs to the caller. */
    @Override
    public void close() {}

    void throwIfGone() throws IOException {
        if (gone != null) {
            throw gone;
        }
    }
}
