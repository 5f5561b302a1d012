package io.rask.catalog.platform;

import io.rask.catalog.problem.FilterOrder;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Bounds the time for each request: by the settings, and by what the client says it waits. */
@Component
@Order(FilterOrder.BOUND)
final class RequestBounds extends OncePerRequestFilter {
    /** In milliseconds; LanceDB sends it. What is no number counts as not sent. */
    private static final String CLIENT_TIMEOUT = "x-request-timeout-ms";

    private final Duration idle;

    RequestBounds(CatalogProperties properties) {
        this.idle = properties.limits().requestDeadline();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        BooleanSupplier gone =
                request.getAttribute(ConnectionValve.GONE) instanceof BooleanSupplier probe ? probe : () -> false;
        RequestBound.enter(RequestBound.of(idle, clientTimeout(request), gone));
        try {
            chain.doFilter(request, response);
        } finally {
            RequestBound.enter(null);
        }
    }

    private static @Nullable Duration clientTimeout(HttpServletRequest request) {
        String sent = request.getHeader(CLIENT_TIMEOUT);
        if (sent == null || !sent.matches("\\d{1,12}")) {
            return null;
        }
        return Duration.ofMillis(Long.parseLong(sent));
    }
}
