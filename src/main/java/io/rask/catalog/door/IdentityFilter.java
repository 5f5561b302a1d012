package io.rask.catalog.door;

import io.rask.catalog.access.AuditLog;
import io.rask.catalog.access.Identification;
import io.rask.catalog.access.Principal;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.problem.FilterOrder;
import io.rask.catalog.problem.RequestId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Settles who asks before a byte of the body is read. Health and metrics are not asked. */
@Component
@Order(FilterOrder.IDENTITY)
final class IdentityFilter extends OncePerRequestFilter {
    private static final String PRINCIPAL = Principal.class.getName();

    private final Identification identification;
    private final AuditLog audit;

    IdentityFilter(Identification identification, AuditLog audit) {
        this.identification = identification;
        this.audit = audit;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        return path.equals("/livez") || path.equals("/readyz") || path.startsWith("/actuator/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        request.setAttribute(PRINCIPAL, identified(request));
        chain.doFilter(request, response);
    }

    private Principal identified(HttpServletRequest request) {
        try {
            return identification.identify(request);
        } catch (CatalogException e) {
            audit.notIdentified(
                    request.getRemoteAddr(),
                    request.getMethod() + " " + request.getRequestURI(),
                    RequestId.of(request),
                    e.text(),
                    e.code() != ErrorCode.UNAUTHENTICATED);
            throw e;
        }
    }

    static Principal principalOf(HttpServletRequest request) {
        if (request.getAttribute(PRINCIPAL) instanceof Principal principal) {
            return principal;
        }
        throw new IllegalStateException("The request did not pass the identity filter.");
    }
}
