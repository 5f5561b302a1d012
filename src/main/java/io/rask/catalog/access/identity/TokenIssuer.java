package io.rask.catalog.access.identity;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.rask.catalog.access.Principal;
import io.rask.catalog.platform.OidcProperties;
import io.rask.catalog.problem.CatalogException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtValidationException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** One provider, and what its tokens must be: signed by one of its keys, not over, and meant for this server. */
final class TokenIssuer {
    /** Only what a public key verifies: with a shared secret, whoever can check a token could also make one. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final Duration WAIT_FOR_KEYS = Duration.ofSeconds(10);

    private final NimbusJwtDecoder decoder;
    private final Claims claims;

    TokenIssuer(String name, OidcProperties.Issuer provider, OidcProperties settings, ProviderKeys keys, Clock clock) {
        this.claims = new Claims(name, provider.claims());
        this.decoder = new NimbusJwtDecoder(processor(cached(keys, settings.cacheTtl())));
        JwtTimestampValidator time = new JwtTimestampValidator(settings.leeway());
        time.setClock(clock);
        time.setAllowEmptyExpiryClaim(false);
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(List.of(
                time,
                new JwtIssuerValidator(Objects.requireNonNull(provider.issuer())),
                new JwtClaimValidator<Object>("aud", told -> isFor(told, provider.audience())))));
    }

    private static JWKSource<SecurityContext> cached(ProviderKeys keys, Duration ttl) {
        // The keys themselves see to it that the provider is not asked too often, whatever is sent to us.
        return JWKSourceBuilder.create(keys)
                .cache(ttl.toMillis(), WAIT_FOR_KEYS.toMillis())
                .refreshAheadCache(false)
                .rateLimited(false)
                .build();
    }

    private static DefaultJWTProcessor<SecurityContext> processor(JWKSource<SecurityContext> keys) {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(
                JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), null));
        // The decoder's validators look at the claims.
        processor.setJWTClaimsSetVerifier((all, context) -> {});
        return processor;
    }

    private static boolean isFor(Object told, Collection<String> audience) {
        return told instanceof Collection<?> several && several.stream().anyMatch(audience::contains);
    }

    /**
     * Who a token of this provider stands for.
     *
     * @throws BadTokenException when it is not believed
     * @throws CatalogException code 17 when the provider's keys cannot be had
     */
    Principal principal(String token) throws BadTokenException {
        try {
            return claims.principal(decoder.decode(token).getClaims());
        } catch (JwtValidationException e) {
            throw new BadTokenException(reasons(e), e);
        } catch (BadJwtException e) {
            throw new BadTokenException("its signature or its form is not valid", e);
        } catch (JwtException e) {
            if (isOutage(e)) {
                throw CatalogException.unavailable(
                        "The identity provider does not answer, so nobody's token can be checked; try again later.", e);
            }
            throw new BadTokenException("its signature or its form is not valid", e);
        } catch (IllegalArgumentException e) {
            throw new BadTokenException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isOutage(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof KeySourceException) {
                return true;
            }
        }
        return false;
    }

    /** What the validators say; they name claims and times, never a value that a caller sent. */
    private static String reasons(JwtValidationException e) {
        return e.getErrors().stream()
                .map(OAuth2Error::getDescription)
                .distinct()
                .collect(Collectors.joining("; "));
    }
}
