package io.rask.catalog.platform;

import io.rask.catalog.problem.FilterOrder;
import io.rask.catalog.problem.RequestId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.MDC;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Names the request before anything can fail, so that every answer and every log line about it carries the id. */
@Component
@Order(FilterOrder.REQUEST_ID)
final class RequestIdFilter extends OncePerRequestFilter {
    private static final String MDC_KEY = "request_id";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RequestId.echo(request, response);
        try (MDC.MDCCloseable ignored = MDC.putCloseable(MDC_KEY, RequestId.of(request))) {
            chain.doFilter(request, response);
        }
    }
}
