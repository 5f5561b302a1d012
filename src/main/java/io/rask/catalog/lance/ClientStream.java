package io.rask.catalog.lance;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The way to a client. The first failure is remembered, and nothing goes out after it: then nobody is left to be told of another
 * one, and a file that broke off must not be given the end of a whole one.
 */
final class ClientStream extends FilterOutputStream {
    private @Nullable IOException gone;
    private boolean brokenOff;

    ClientStream(OutputStream out) {
        super(out);
    }

    @Override
    public synchronized void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        throwIfGone();
        if (brokenOff) {
            throw new IOException("the answer has been broken off");
        }
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw gone = e;
        }
    }

    /** Lets nothing more out, because what came so far has no right end; waits for what is on its way. */
    synchronized void breakOff() {
        brokenOff = true;
    }

    /** The stream belongs to the caller. */
    @Override
    public void close() {}

    synchronized void throwIfGone() throws IOException {
        if (gone != null) {
            throw gone;
        }
    }
}
