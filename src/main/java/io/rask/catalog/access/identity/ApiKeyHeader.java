package io.rask.catalog.access.identity;

import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Principal.Means;
import io.rask.catalog.access.key.ApiKeys;
import io.rask.catalog.problem.CatalogException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code x-api-key}, with a key that the server is configured with or that its owner made. */
final class ApiKeyHeader implements Credential {
    private static final String HEADER = "x-api-key";

    private final List<Configured> configured;
    private final @Nullable ApiKeys made;

    /** A key of the configuration, and whom it stands for. */
    record Configured(Secret secret, String subject) {}

    /** @param made the keys that owners make; null where they are switched off */
    ApiKeyHeader(List<Configured> configured, @Nullable ApiKeys made) {
        this.configured = List.copyOf(configured);
        this.made = made;
    }

    @Override
    public String challenge() {
        return "ApiKey realm=\"catalog\", header=\"" + HEADER + "\"";
    }

    @Override
    public Optional<Principal> principal(HttpServletRequest request) {
        return single(request, HEADER).map(this::owner);
    }

    private Principal owner(String sent) {
        Optional<Principal> owner = ofConfiguration(sent);
        if (owner.isEmpty() && made != null) {
            owner = made.proven(sent).map(key -> Principal.of(key.owner(), Means.API_KEY));
        }
        return owner.orElseThrow(() -> CatalogException.unauthenticated(
                "The API key is not known here; it may be over or revoked.", List.of(challenge())));
    }

    /** Compares with all of them, so that the time it takes does not tell which one comes near. */
    private Optional<Principal> ofConfiguration(String sent) {
        Optional<Principal> owner = Optional.empty();
        for (Configured key : configured) {
            if (key.secret().is(sent)) {
                owner = Optional.of(Principal.of(key.subject(), Means.CONFIGURED_KEY));
            }
        }
        return owner;
    }
}
