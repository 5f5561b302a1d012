package io.rask.catalog.door;

import io.rask.catalog.platform.Pace;
import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.problem.RequestBodyException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;

/** A request body that ends with the reason when it is longer than allowed, comes too slowly or breaks off. */
final class BoundedBody extends InputStream {
    private final InputStream body;
    private final long limit;
    private final Pace pace;
    private final RequestBound bound = RequestBound.current();
    private long left;

    private BoundedBody(InputStream body, long limit, Pace pace) {
        this.body = body;
        this.limit = limit;
        this.pace = pace;
        this.left = limit;
    }

    /** Opens the body; one that is announced to be too large is refused before a byte of it is read. */
    static InputStream of(HttpServletRequest request, long limit, Pace pace) throws IOException {
        if (request.getContentLengthLong() > limit) {
            throw RequestBodyException.tooLarge(limit);
        }
        return new BoundedBody(request.getInputStream(), limit, pace);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count;
        long begin = System.nanoTime();
        try {
            count = body.read(buffer, offset, length);
        } catch (SocketTimeoutException e) {
            throw because(RequestBodyException.stalled(), e);
        } catch (IOException e) {
            throw because(
                    e.getCause() instanceof SocketTimeoutException
                            ? RequestBodyException.stalled()
                            : RequestBodyException.brokenOff(),
                    e);
        }
        if (count > 0) {
            bound.moved();
            if (!pace.keepsUp(count, System.nanoTime() - begin)) {
                throw RequestBodyException.stalled();
            }
            left -= count;
            if (left < 0) {
                throw RequestBodyException.tooLarge(limit);
            }
        }
        return count;
    }

    @Override
    public int available() throws IOException {
        return body.available();
    }

    private static RequestBodyException because(RequestBodyException failure, IOException cause) {
        failure.initCause(cause);
        return failure;
    }
}
