package io.rask.catalog.platform;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The providers of OpenID Connect whose tokens are taken.
 *
 * @param enabled whether bearer tokens are taken at all
 * @param issuer the provider, exactly as its tokens name it; its subjects are taken as they are
 * @param discoveryUrl where its discovery document is read, if not below the issuer
 * @param audience the values of which a token must be meant for one
 * @param claims where its tokens say what
 * @param issuers further providers by a name that stands before their subjects and teams
 * @param cacheTtl for how long the keys of a provider are used before they are asked for again
 * @param leeway by how much the clocks of provider and server may differ
 * @param allowInsecure whether providers may be asked without encryption
 */
public record OidcProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable String issuer,
        @Nullable String discoveryUrl,
        @DefaultValue List<String> audience,
        @DefaultValue @Valid Claims claims,
        @DefaultValue Map<String, @Valid Issuer> issuers,

        @DefaultValue("3600s") @DurationUnit(ChronoUnit.SECONDS)
        Duration cacheTtl,

        @DefaultValue("60s") @DurationUnit(ChronoUnit.SECONDS)
        Duration leeway,

        @DefaultValue("false") boolean allowInsecure) {
    private static final String PREFIX = "lance.oidc.";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");
    private static final Duration LONGEST_LEEWAY = Duration.ofMinutes(10);

    /**
     * The names of the claims that say who asks; a name with dots may lead into nested claims.
     *
     * @param subject what the permission model is to know the caller by
     * @param groups the caller's groups, which become teams
     */
    public record Claims(
            @DefaultValue("sub") @NotBlank String subject,
            @DefaultValue("name") @NotBlank String name,
            @DefaultValue("email") @NotBlank String email,
            @DefaultValue("groups") @NotBlank String groups) {}

    /** One provider. */
    public record Issuer(
            @Nullable String issuer,
            @Nullable String discoveryUrl,
            @DefaultValue List<String> audience,
            @DefaultValue @Valid Claims claims) {}

    public OidcProperties {
        requireRange("cache-ttl", cacheTtl, Duration.ofSeconds(1), Duration.ofDays(7));
        requireRange("leeway", leeway, Duration.ZERO, LONGEST_LEEWAY);
        if (enabled) {
            if (issuer == null && issuers.isEmpty()) {
                throw missing("", "issuer");
            }
            if (issuer != null) {
                check("", new Issuer(issuer, discoveryUrl, audience, claims), allowInsecure);
            }
            issuers.forEach((name, named) -> check(name, named, allowInsecure));
            requireDistinct(issuer, issuers);
        }
    }

    /** All providers by the name that stands before their subjects; it is empty for the one whose subjects are taken as they are. */
    public Map<String, Issuer> all() {
        Map<String, Issuer> all = new LinkedHashMap<>();
        if (issuer != null) {
            all.put("", new Issuer(issuer, discoveryUrl, audience, claims));
        }
        all.putAll(issuers);
        return all;
    }

    private static void check(String name, Issuer named, boolean allowInsecure) {
        if (!name.isEmpty() && (!NAME.matcher(name).matches() || name.equals("service"))) {
            throw new IllegalArgumentException(PREFIX + "issuers." + name
                    + " has a name that no subject can begin with; use letters, digits and hyphens");
        }
        if (named.issuer() == null) {
            throw missing(name, "issuer");
        }
        if (named.audience().isEmpty()) {
            throw missing(name, "audience");
        }
        requireAddress(property(name, "issuer"), named.issuer(), allowInsecure);
        if (named.discoveryUrl() != null) {
            requireAddress(property(name, "discovery-url"), named.discoveryUrl(), allowInsecure);
        }
    }

    private static void requireDistinct(@Nullable String issuer, Map<String, Issuer> issuers) {
        Set<String> seen = new HashSet<>();
        if (issuer != null) {
            seen.add(issuer);
        }
        issuers.forEach((name, named) -> {
            if (!seen.add(String.valueOf(named.issuer()))) {
                throw new IllegalArgumentException(property(name, "issuer") + " is another one's too");
            }
        });
    }

    private static String property(String name, String last) {
        return PREFIX + (name.isEmpty() ? "" : "issuers." + name + ".") + last;
    }

    private static IllegalArgumentException missing(String name, String last) {
        return new IllegalArgumentException(property(name, last) + " must be set when " + PREFIX + "enabled is true");
    }

    private static void requireAddress(String property, String address, boolean allowInsecure) {
        @Nullable String scheme;
        try {
            URI uri = new URI(address);
            scheme = uri.getHost() == null ? null : uri.getScheme();
        } catch (URISyntaxException e) {
            scheme = null;
        }
        if (!"https".equals(scheme) && !"http".equals(scheme)) {
            throw new IllegalArgumentException(property + " must be an address that begins with https://");
        }
        if ("http".equals(scheme) && !allowInsecure) {
            throw new IllegalArgumentException(property + " is not encrypted; that needs " + PREFIX
                    + "allow-insecure=true, and is for tests only");
        }
    }

    private static void requireRange(String last, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    PREFIX + last + " must be " + least.toSeconds() + "s to " + most.toSeconds() + "s");
        }
    }
}
