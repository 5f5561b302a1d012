package io.rask.catalog.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The name of one request, in its answer, in problem documents and in the log; the client's own where it sends a sane one. */
public final class RequestId {
    /** The header that carries the id in both directions. */
    public static final String HEADER = "X-Request-ID";

    private static final String ATTRIBUTE = RequestId.class.getName();
    private static final int LONGEST = 128;

    private RequestId() {}

    /** The id of the request, made on first sight. */
    public static String of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof String known) {
            return known;
        }
        String sent = request.getHeader(HEADER);
        String id = isSane(sent) ? sent : UUID.randomUUID().toString();
        request.setAttribute(ATTRIBUTE, id);
        return id;
    }

    /** Puts the id of the request into the answer's header. */
    public static void echo(HttpServletRequest request, HttpServletResponse response) {
        response.setHeader(HEADER, of(request));
    }

    private static boolean isSane(@Nullable String id) {
        return id != null
                && !id.isEmpty()
                && id.length() <= LONGEST
                && id.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }
}
