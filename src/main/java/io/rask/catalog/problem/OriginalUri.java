package io.rask.catalog.problem;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The address as the client sent it, however later stages rewrite it. */
final class OriginalUri {
    private static final String ATTRIBUTE = OriginalUri.class.getName();

    private OriginalUri() {}

    static void remember(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, request.getRequestURI());
    }

    /** The raw path; null when not even that could be read. */
    static @Nullable String of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof String original ? original : request.getRequestURI();
    }
}
