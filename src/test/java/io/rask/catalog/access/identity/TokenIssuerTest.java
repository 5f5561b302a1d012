package io.rask.catalog.access.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.rask.catalog.platform.OidcProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.TestClock;
import java.io.IOException;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** A provider that changes its keys, or is away, and a clock that is told what time it is. */
class TokenIssuerTest {
    private static final String ISSUER = "https://login.example.com/realms/data";
    private static final RSAKey FIRST = key("first");
    private static final RSAKey SECOND = key("second");

    private final Web web = new Web();
    private final TestClock clock = new TestClock(Instant.parse("2026-01-01T00:00:00Z"));
    private long nanos;
    private final TokenIssuer issuer = issuer(Map.of());

    /** What the provider publishes. */
    private static final class Web implements ResourceRetriever {
        List<RSAKey> keys = List.of(FIRST);
        String issuer = ISSUER;
        String address = "https://keys.example.com/all";

        @Nullable
        String other;

        boolean away;
        int asked;

        @Override
        public Resource retrieveResource(URL url) throws IOException {
            if (away) {
                throw new IOException("connection refused");
            }
            if (url.toString().equals(ISSUER + "/.well-known/openid-configuration")) {
                asked++;
                return new Resource(
                        "{\"issuer\":\"" + issuer + "\",\"jwks_uri\":\"" + address + "\"}", "application/json");
            }
            String set = new JWKSet(List.copyOf(keys)).toPublicJWKSet().toString();
            return new Resource(other == null ? set : other, "application/json");
        }
    }

    private static RSAKey key(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private TokenIssuer issuer(Map<String, Object> more) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("more", more));
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "base",
                        Map.of(
                                "lance.oidc.enabled", "true",
                                "lance.oidc.issuer", ISSUER,
                                "lance.oidc.audience", "catalog,other")));
        OidcProperties settings =
                Binder.get(environment).bind("lance.oidc", OidcProperties.class).get();
        OidcProperties.Issuer provider = settings.all().values().iterator().next();
        return new TokenIssuer(
                "", provider, settings, new ProviderKeys(provider, settings.allowInsecure(), web, () -> nanos), clock);
    }

    private JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .subject("ann")
                .audience("catalog")
                .expirationTime(Date.from(clock.instant().plusSeconds(300)));
    }

    private static String signed(RSAKey key, JWTClaimsSet claims) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims);
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private String subject(RSAKey key) throws BadTokenException {
        return issuer.principal(signed(key, claims().build())).subject();
    }

    private static void assertOutage(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
    }

    @Test
    void aNewKeyIsLearntWhenATokenNamesIt() throws BadTokenException {
        assertThat(subject(FIRST)).isEqualTo("ann");
        web.keys = List.of(SECOND);
        nanos += ProviderKeys.PAUSE.toNanos();
        assertThat(subject(SECOND)).isEqualTo("ann");
        assertThat(web.asked).isEqualTo(2);
    }

    @Test
    void aKeyThatTheProviderTookBackIsForgottenWithTheNextReading() throws BadTokenException {
        assertThat(subject(FIRST)).isEqualTo("ann");
        web.keys = List.of(SECOND);
        nanos += ProviderKeys.PAUSE.toNanos();
        assertThat(subject(SECOND)).isEqualTo("ann");
        assertThatThrownBy(() -> subject(FIRST)).isInstanceOf(BadTokenException.class);
    }

    @Test
    void tokensOfUnknownKeysDoNotMakeUsAskAllTheTime() throws BadTokenException {
        assertThat(subject(FIRST)).isEqualTo("ann");
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> subject(SECOND)).isInstanceOf(BadTokenException.class);
        }
        assertThat(web.asked).isEqualTo(1);
        nanos += ProviderKeys.PAUSE.toNanos();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> subject(SECOND)).isInstanceOf(BadTokenException.class);
        }
        assertThat(web.asked).isEqualTo(2);
    }

    @Test
    void aProviderThatIsAwayIsOurOutageUntilItIsBack() throws BadTokenException {
        web.away = true;
        assertOutage(() -> subject(FIRST));
        web.away = false;
        assertOutage(() -> subject(FIRST));
        nanos += ProviderKeys.PAUSE_AFTER_FAILURE.toNanos();
        assertThat(subject(FIRST)).isEqualTo("ann");
    }

    @Test
    void knownKeysGoOnWhileTheProviderIsAwayAndUnknownOnesAreAnOutage() throws BadTokenException {
        assertThat(subject(FIRST)).isEqualTo("ann");
        web.away = true;
        nanos += Duration.ofMinutes(5).toNanos();
        assertThat(subject(FIRST)).isEqualTo("ann");
        assertOutage(() -> subject(SECOND));
        assertThat(subject(FIRST)).isEqualTo("ann");
    }

    @Test
    void anotherIssuersDocumentIsAnOutage() {
        web.issuer = "https://evil.example.com";
        assertOutage(() -> subject(FIRST));
    }

    @Test
    void keysThatAreToldWithoutEncryptionAreNotRead() {
        web.address = "http://keys.example.com/all";
        assertOutage(() -> subject(FIRST));
        web.address = "file:///etc/keys";
        nanos += ProviderKeys.PAUSE_AFTER_FAILURE.toNanos();
        assertOutage(() -> subject(FIRST));
    }

    @Test
    void nonsenseInThePlaceOfKeysIsAnOutage() {
        for (String nonsense : List.of("", "[]", "<html>", "{\"keys\":7}", "{}")) {
            web.other = nonsense;
            nanos += ProviderKeys.PAUSE.toNanos();
            assertOutage(() -> subject(FIRST));
        }
    }

    @Test
    void theClocksMayDifferByTheLeewayAndNoMore() throws BadTokenException {
        String token = signed(
                FIRST,
                claims().notBeforeTime(Date.from(clock.instant().plusSeconds(30)))
                        .build());
        assertThat(issuer.principal(token).subject()).isEqualTo("ann");
        assertThatThrownBy(() -> issuer(Map.of("lance.oidc.leeway", "29")).principal(token))
                .isInstanceOf(BadTokenException.class)
                .hasMessageContaining("used before");
        clock.advance(Duration.ofSeconds(359));
        assertThat(issuer.principal(token).subject()).isEqualTo("ann");
        clock.advance(Duration.ofSeconds(2));
        assertThatThrownBy(() -> issuer.principal(token))
                .isInstanceOf(BadTokenException.class)
                .hasMessageContaining("expired");
    }

    @Test
    void claimsMayHaveOtherNamesAndBeNested() throws BadTokenException {
        TokenIssuer other = issuer(Map.of(
                "lance.oidc.claims.subject", "https://example.com/id",
                "lance.oidc.claims.groups", "realm_access.roles",
                "lance.oidc.claims.name", "display"));
        String token = signed(
                FIRST,
                claims().claim("https://example.com/id", "4711")
                        .claim("realm_access", Map.of("roles", List.of("b:x", "a", " ", "g".repeat(300))))
                        .claim("display", "Ann")
                        .claim("email", "ann@example.com")
                        .build());
        assertThat(other.principal(token)).satisfies(caller -> {
            assertThat(caller.subject()).isEqualTo("4711");
            assertThat(caller.teams()).containsExactly("a", "b%3Ax");
            assertThat(caller.name()).isEqualTo("Ann");
            assertThat(caller.email()).isEqualTo("ann@example.com");
        });
    }

    @Test
    void anyOfTheAudiencesWillDo() throws BadTokenException {
        assertThat(issuer.principal(signed(
                                FIRST, claims().audience(List.of("x", "other")).build()))
                        .subject())
                .isEqualTo("ann");
    }
}
