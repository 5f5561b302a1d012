package io.rask.catalog.lance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The way to a client. The first failure is remembered, and nothing goes out after it: then nobody is left to be told of another
 * one, and a file that broke off must not be given the end of a whole one.
 */
final class ClientChannel implements WritableByteChannel {
    private final WritableByteChannel out;
    private @Nullable IOException gone;
    private boolean brokenOff;

    ClientChannel(WritableByteChannel out) {
        this.out = out;
    }

    @Override
    public synchronized int write(ByteBuffer bytes) throws IOException {
        throwIfGone();
        if (brokenOff) {
            throw new IOException("the answer has been broken off");
        }
        try {
            return out.write(bytes);
        } catch (IOException e) {
            throw gone = e;
        }
    }

    /** Lets nothing more out, because what came so far has no right end; waits for what is on its way. */
    synchronized void breakOff() {
        brokenOff = true;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /** The channel belongs to the caller. */
    @Override
    public void close() {}

    synchronized void throwIfGone() throws IOException {
        if (gone != null) {
            throw gone;
        }
    }
}
