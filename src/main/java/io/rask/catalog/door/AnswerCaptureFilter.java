package io.rask.catalog.door;

import io.rask.catalog.problem.FilterOrder;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Makes the answers of requests with an {@code Idempotency-Key} ones that can be kept; others pass untouched. */
@Component
@Order(FilterOrder.IDENTITY + 1)
final class AnswerCaptureFilter extends OncePerRequestFilter {
    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return request.getHeader(KeyedInterceptor.HEADER) == null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        AnswerCapture capture = new AnswerCapture(response);
        request.setAttribute(KeyedInterceptor.CAPTURE, capture);
        chain.doFilter(request, capture);
        capture.release();
    }
}
