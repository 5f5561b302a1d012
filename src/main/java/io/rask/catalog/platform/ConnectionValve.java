package io.rask.catalog.platform;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

/** Lets the thread of a request ask whether its client has closed the connection; the servlet API has no way to do so. */
final class ConnectionValve extends ValveBase {
    /** The request attribute with the question, a {@link BooleanSupplier}. */
    static final String GONE = ConnectionValve.class.getName() + ".gone";

    ConnectionValve() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        BooleanSupplier gone = () -> isGone(request.getCoyoteRequest());
        request.setAttribute(GONE, gone);
        getNext().invoke(request, response);
    }

    /**
     * Looks at the connection without waiting. Only once the body has been read: before that, what has arrived hides what comes
     * after it. The container counts the end of a connection as one byte to be read, and a further request is never as short.
     */
    private static boolean isGone(org.apache.coyote.Request request) {
        AtomicBoolean read = new AtomicBoolean();
        request.action(ActionCode.REQUEST_BODY_FULLY_READ, read);
        if (!read.get()) {
            return false;
        }
        request.action(ActionCode.AVAILABLE, Boolean.TRUE);
        return request.getAvailable() == 1;
    }
}
