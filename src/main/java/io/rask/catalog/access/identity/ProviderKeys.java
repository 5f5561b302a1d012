package io.rask.catalog.access.identity;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import io.rask.catalog.platform.OidcProperties;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a provider as it tells them now: its discovery document says where they are. Whoever sends tokens of unknown keys makes us ask
 * again, so it is asked at most once in a while, and what it said or failed with last stands meanwhile.
 */
final class ProviderKeys implements JWKSetSource<SecurityContext> {
    static final Duration PAUSE = Duration.ofSeconds(5);
    static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final String WELL_KNOWN = "/.well-known/openid-configuration";

    private final String issuer;
    private final String discovery;
    private final boolean allowInsecure;
    private final ResourceRetriever web;
    private final LongSupplier nanoTime;

    private @Nullable JWKSet keys;
    private @Nullable Exception failure;
    private long askedAt;

    ProviderKeys(OidcProperties.Issuer provider, boolean allowInsecure, ResourceRetriever web, LongSupplier nanoTime) {
        this.issuer = Objects.requireNonNull(provider.issuer());
        this.discovery = Objects.requireNonNullElseGet(
                provider.discoveryUrl(),
                () -> (issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer) + WELL_KNOWN);
        this.allowInsecure = allowInsecure;
        this.web = web;
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized JWKSet getJWKSet(
            JWKSetCacheRefreshEvaluator evaluator, long currentTime, @Nullable SecurityContext context)
            throws KeySourceException {
        long now = nanoTime.getAsLong();
        if (!isFresh(now)) {
            ask();
            askedAt = nanoTime.getAsLong();
        }
        if (failure != null) {
            throw new JWKSetUnavailableException("The keys of " + issuer + " cannot be had", failure);
        }
        return Objects.requireNonNull(keys);
    }

    private boolean isFresh(long now) {
        boolean asked = keys != null || failure != null;
        Duration pause = failure == null ? PAUSE : PAUSE_AFTER_FAILURE;
        return asked && now - askedAt < pause.toNanos();
    }

    private void ask() {
        try {
            keys = JWKSet.parse(text(keysAddress()));
            failure = null;
        } catch (IOException | ParseException | IllegalArgumentException e) {
            failure = e;
        }
    }

    private String keysAddress() throws IOException, ParseException {
        Map<String, Object> document = JSONObjectUtils.parse(text(discovery));
        if (!issuer.equals(document.get("issuer"))) {
            throw new IOException("The document at " + discovery + " is another issuer's");
        }
        String address = JSONObjectUtils.getString(document, "jwks_uri");
        if (address == null || !(address.startsWith("https://") || (allowInsecure && address.startsWith("http://")))) {
            throw new IOException("The document at " + discovery + " names no address of keys that may be asked");
        }
        return address;
    }

    private String text(String address) throws IOException {
        return web.retrieveResource(URI.create(address).toURL()).getContent();
    }

    @Override
    public void close() {
        // There is nothing to give back.
    }
}
