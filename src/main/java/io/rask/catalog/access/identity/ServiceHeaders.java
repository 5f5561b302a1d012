package io.rask.catalog.access.identity;

import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Principal.Means;
import io.rask.catalog.access.Subjects;
import io.rask.catalog.platform.ServiceProperties;
import io.rask.catalog.problem.CatalogException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The platform's own services: a token they share, and a header in which each says which it is. */
final class ServiceHeaders implements Credential {
    private final ServiceProperties settings;
    private final Secret token;

    ServiceHeaders(ServiceProperties settings) {
        this.settings = settings;
        this.token = Secret.of(Objects.requireNonNull(settings.token()));
    }

    @Override
    public String challenge() {
        return "Service realm=\"catalog\"";
    }

    @Override
    public Optional<Principal> principal(HttpServletRequest request) {
        Optional<String> sent = single(request, settings.tokenHeader());
        Optional<String> service = single(request, settings.identityHeader());
        if (sent.isEmpty() && service.isEmpty()) {
            return Optional.empty();
        }
        if (request.getHeader(settings.gatewayHeader()) != null) {
            throw refused("No service comes through the public gateway.");
        }
        boolean believed = sent.isPresent() && token.is(sent.get());
        if (!believed || service.isEmpty() || !settings.subjects().contains(service.get())) {
            throw refused("The service is not known here, or its token is not right.");
        }
        return Optional.of(Principal.of(Subjects.ofService(service.get()), Means.SERVICE));
    }

    private CatalogException refused(String text) {
        return CatalogException.unauthenticated(text, List.of(challenge()));
    }
}
