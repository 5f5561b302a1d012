package io.rask.catalog.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.token.KeyProvider;
import no.nav.security.mock.oauth2.token.OAuth2TokenProvider;

/** An OpenID Connect provider with two issuers, whose private keys are known, so that tokens can be made that it never would. */
public final class TokenServer implements AutoCloseable {
    /** The audience of its tokens. */
    public static final String AUDIENCE = "catalog";

    private static final String MAIN = "main";
    private static final String PARTNER = "partner";

    private final RSAKey partnerKey = key(PARTNER);
    private final MockOAuth2Server server;
    private final int port;
    private volatile RSAKey mainKey = key(MAIN);

    /** The key of each issuer. */
    private final class Keys extends KeyProvider {
        @Override
        public JWK signingKey(String issuer) {
            return issuer.equals(MAIN) ? mainKey : partnerKey;
        }
    }

    private TokenServer(int wanted) {
        server = new MockOAuth2Server(new OAuth2Config(false, null, null, false, new OAuth2TokenProvider(new Keys())));
        try {
            server.start(InetAddress.getByName("127.0.0.1"), wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.port = server.baseUrl().port();
    }

    public static TokenServer start() {
        return new TokenServer(0);
    }

    /** One at the place where another was. */
    public static TokenServer startAt(int port) {
        return new TokenServer(port);
    }

    private static RSAKey key(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return port;
    }

    /** What a server needs that takes tokens of the main issuer, and of the other one under the name {@code partner}. */
    public Map<String, String> settings() {
        return Map.of(
                "lance.oidc.enabled",
                "true",
                "lance.oidc.issuer",
                issuer(),
                "lance.oidc.audience",
                AUDIENCE,
                "lance.oidc.issuers.partner.issuer",
                partner(),
                "lance.oidc.issuers.partner.audience",
                AUDIENCE,
                "lance.oidc.allow-insecure",
                "true");
    }

    public String issuer() {
        return server.issuerUrl(MAIN).toString();
    }

    public String partner() {
        return server.issuerUrl(PARTNER).toString();
    }

    /** Gives the main issuer another key; the one before is no longer published. */
    public void rotate(String id) {
        mainKey = key(id);
    }

    public RSAKey mainKey() {
        return mainKey;
    }

    public RSAKey partnerKey() {
        return partnerKey;
    }

    /** A token of the main issuer, as it gives them out. */
    public String token(String subject) {
        return token(subject, Map.of());
    }

    public String token(String subject, Map<String, Object> claims) {
        return server.issueToken(MAIN, subject, AUDIENCE, claims).serialize();
    }

    /** A token of the other issuer. */
    public String partnerToken(String subject, Map<String, Object> claims) {
        return server.issueToken(PARTNER, subject, AUDIENCE, claims).serialize();
    }

    /** What a good token of the main issuer says. */
    public JWTClaimsSet.Builder claims(String subject) {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject(subject)
                .audience(AUDIENCE)
                .issueTime(Date.from(now.minusSeconds(600)))
                .expirationTime(Date.from(now.plusSeconds(600)));
    }

    /** Signs with the main issuer's key. */
    public String signed(JWTClaimsSet claims) {
        return signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(mainKey.getKeyID())
                        .build(),
                claims,
                mainKey);
    }

    public static String signed(JWSHeader header, JWTClaimsSet claims, RSAKey key) {
        try {
            SignedJWT token = new SignedJWT(header, claims);
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.shutdown();
    }
}
