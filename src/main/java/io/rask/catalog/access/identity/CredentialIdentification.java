package io.rask.catalog.access.identity;

import io.rask.catalog.access.Identification;
import io.rask.catalog.access.Principal;
import io.rask.catalog.problem.CatalogException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes the ways to say who asks that are switched on. A request may use several; each must be believed, and all must name one caller.
 * What is known of the caller is what the first of them says.
 */
final class CredentialIdentification implements Identification {
    private final List<Credential> credentials;
    private final List<String> challenges;

    CredentialIdentification(List<Credential> credentials) {
        this.credentials = List.copyOf(credentials);
        this.challenges = credentials.stream().map(Credential::challenge).toList();
    }

    @Override
    public Principal identify(HttpServletRequest request) {
        @Nullable Principal caller = null;
        for (Credential credential : credentials) {
            Optional<Principal> found = credential.principal(request);
            if (found.isEmpty()) {
                continue;
            }
            if (caller != null && !caller.subject().equals(found.get().subject())) {
                throw CatalogException.unauthenticated(
                        "The request carries the credentials of two callers; send those of one.", challenges);
            }
            caller = caller == null ? found.get() : caller;
        }
        if (caller == null) {
            throw CatalogException.unauthenticated(
                    "The request does not say who asks; the header WWW-Authenticate says how to.", challenges);
        }
        return caller;
    }
}
