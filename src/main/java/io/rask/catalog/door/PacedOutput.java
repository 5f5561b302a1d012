package io.rask.catalog.door;

import io.rask.catalog.platform.Pace;
import io.rask.catalog.platform.RequestBound;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;

/** A response body that breaks off when the client takes it too slowly: a stalled client must not keep what others wait for. */
final class PacedOutput extends FilterOutputStream {
    /** Small enough that a slow client is noticed within a write. */
    private static final int PIECE = 16 << 10;

    private final Pace pace;
    private final RequestBound bound = RequestBound.current();

    PacedOutput(OutputStream out, Pace pace) {
        super(out);
        this.pace = pace;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; done += PIECE) {
            int piece = Math.min(PIECE, length - done);
            long begin = System.nanoTime();
            out.write(bytes, offset + done, piece);
            bound.moved();
            if (!pace.keepsUp(piece, System.nanoTime() - begin)) {
                throw new SocketTimeoutException("the client takes the response too slowly");
            }
        }
    }
}
