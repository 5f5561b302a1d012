package io.rask.catalog.door;

import io.rask.catalog.access.AuditLog;
import io.rask.catalog.access.Identification;
import io.rask.catalog.access.Principal;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.problem.FilterOrder;
import io.rask.catalog.problem.RequestId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Settles who asks before a byte of the body is read. Health and metrics are not asked, nor, by a setting, is the description of the API. */
@Component
@Order(FilterOrder.IDENTITY)
final class IdentityFilter extends OncePerRequestFilter {
    private static final String PRINCIPAL = Principal.class.getName();

    /** Nothing in it could be read as another path by anyone. */
    private static final Pattern PLAIN = Pattern.compile("(?:/[A-Za-z0-9][A-Za-z0-9._-]*)+");

    private final Identification identification;
    private final AuditLog audit;
    private final boolean docsPublic;

    IdentityFilter(Identification identification, AuditLog audit, CatalogProperties settings) {
        this.identification = identification;
        this.audit = audit;
        this.docsPublic = settings.apiDocsPublic();
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        return PLAIN.matcher(path).matches() && (isHealth(path) || (docsPublic && isDocs(path)));
    }

    private static boolean isHealth(String path) {
        return path.equals("/livez") || path.equals("/readyz") || path.startsWith("/actuator/");
    }

    private static boolean isDocs(String path) {
        return path.equals("/v3/api-docs")
                || path.equals("/v3/api-docs.yaml")
                || path.equals("/swagger-ui.html")
                || path.startsWith("/v3/api-docs/")
                || path.startsWith("/swagger-ui/");
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
        return known(request)
                .orElseThrow(() -> new IllegalStateException("The request did not pass the identity filter."));
    }

    /** Who asks; empty where nobody is asked that. */
    static Optional<Principal> known(HttpServletRequest request) {
        return request.getAttribute(PRINCIPAL) instanceof Principal principal
                ? Optional.of(principal)
                : Optional.empty();
    }
}
