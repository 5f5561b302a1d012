package io.rask.catalog.id;

import io.rask.catalog.problem.FilterOrder;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Reads the raw address before anything else interprets it, and passes a canonical one on. */
@Component
@Order(FilterOrder.RAW_PATH)
final class RawPathFilter extends OncePerRequestFilter {

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RawPath path = RawPath.parse(request.getRequestURI());
        path.attach(request);
        chain.doFilter(
                new CanonicalRequest(request, path.canonical(), RawQuery.parse(request.getQueryString())), response);
    }
}
