package io.rask.catalog.problem;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/**
 * Refuses addresses that no route has, after all routes were asked. The framework would do so too, but reads the media type of the
 * body first, and fails where that cannot be read.
 */
@Component
final class UnknownRoutes extends AbstractHandlerMapping {
    UnknownRoutes() {
        setOrder(Ordered.LOWEST_PRECEDENCE);
    }

    @Override
    protected Object getHandlerInternal(HttpServletRequest request) throws NoHandlerFoundException {
        throw new NoHandlerFoundException(request.getMethod(), request.getRequestURI(), HttpHeaders.EMPTY);
    }
}
