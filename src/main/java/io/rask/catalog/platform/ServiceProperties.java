package io.rask.catalog.platform;

import jakarta.validation.constraints.NotBlank;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The platform's own services, which share a token and say which of them they are.
 *
 * @param token the token; without one no service is admitted
 * @param subjects the services that are admitted; without any none is
 * @param tokenHeader the header that carries the token
 * @param identityHeader the header that names the service
 * @param gatewayHeader the header that the public gateway sets; a request that has it is no service's
 */
public record ServiceProperties(
        @Nullable String token,
        @DefaultValue List<String> subjects,
        @DefaultValue("x-service-token") @NotBlank String tokenHeader,
        @DefaultValue("x-service-identity") @NotBlank String identityHeader,
        @DefaultValue("x-public-gateway") @NotBlank String gatewayHeader) {
    static final int SHORTEST_SECRET = 32;

    public ServiceProperties {
        if (token != null && token.length() < SHORTEST_SECRET) {
            throw new IllegalArgumentException(
                    "lance.service.token must have at least " + SHORTEST_SECRET + " characters");
        }
    }

    /** Whether services may come at all. */
    public boolean enabled() {
        return token != null;
    }

    /** Keeps the token out of logs. */
    @Override
    public String toString() {
        return "ServiceProperties[subjects=" + subjects + "]";
    }
}
