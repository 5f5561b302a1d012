package io.rask.catalog.problem;

import java.io.IOException;

/**
 * A request body that cannot be read to its end for a reason of the client's: it is too large, it stalls, or it breaks off. Code 13
 * with a status of its own, wherever it stands in the chain of causes; the connection is not used again.
 */
public final class RequestBodyException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    private RequestBodyException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** @param limit the most bytes that are taken */
    public static RequestBodyException tooLarge(long limit) {
        return new RequestBodyException(
                413, "The request body is larger than " + limit + " bytes; send less at a time.");
    }

    public static RequestBodyException stalled() {
        return new RequestBodyException(408, "The request body stopped arriving or came too slowly; send it again.");
    }

    public static RequestBodyException brokenOff() {
        return new RequestBodyException(400, "The request body broke off before its end; send it again.");
    }

    /** The HTTP status: 413, 408 or 400. */
    public int status() {
        return status;
    }
}
