package io.rask.catalog.door;

import io.rask.catalog.platform.Pace;
import io.rask.catalog.platform.RequestBound;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * A response body that breaks off when the client takes it too slowly: a stalled client must not keep what others wait for. Native
 * memory goes to the socket from where it is.
 */
final class PacedChannel implements WritableByteChannel {
    /** Small enough that a slow client is noticed within a write, large enough that the writes cost little. */
    static final int PIECE = 64 << 10;

    private final ServletOutputStream out;
    private final Pace pace;
    private final RequestBound bound = RequestBound.current();

    PacedChannel(ServletOutputStream out, Pace pace) {
        this.out = out;
        this.pace = pace;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int all = bytes.remaining();
        int end = bytes.limit();
        while (bytes.position() < end) {
            int piece = Math.min(PIECE, end - bytes.position());
            bytes.limit(bytes.position() + piece);
            long begin = System.nanoTime();
            out.write(bytes);
            bound.moved();
            if (!pace.keepsUp(piece, System.nanoTime() - begin)) {
                throw new SocketTimeoutException("the client takes the response too slowly");
            }
        }
        return all;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /** The container ends the response. */
    @Override
    public void close() {}
}
