package io.rask.catalog.access.identity;

import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Principal.Means;
import io.rask.catalog.access.Subjects;
import io.rask.catalog.platform.OidcProperties;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a caller out of what a token claims.
 *
 * @param provider the name that stands before subjects and teams; may be empty
 */
record Claims(String provider, OidcProperties.Claims names) {
    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);
    private static final int LONGEST_TEXT = 200;

    /** @throws IllegalArgumentException when the claims name no subject that could have rights; the message says why */
    Principal principal(Map<String, Object> claims) {
        if (!(at(claims, names.subject()) instanceof String told)) {
            throw new IllegalArgumentException("its subject is absent or no text");
        }
        return new Principal(
                subject(told), Means.TOKEN, teams(claims), text(claims, names.name()), text(claims, names.email()));
    }

    private String subject(String told) {
        try {
            return Subjects.of(provider, told);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("its subject " + e.getMessage(), e);
        }
    }

    /** A group whose name cannot be a team's is left out: that gives fewer rights, never more. */
    private Set<String> teams(Map<String, Object> claims) {
        Set<String> teams = new LinkedHashSet<>();
        Object told = at(claims, names.groups());
        Collection<?> groups = told instanceof Collection<?> several
                ? several
                : told instanceof String one && !one.isBlank() ? Set.of(one) : Set.of();
        for (Object group : groups) {
            try {
                teams.add(Subjects.of(provider, group instanceof String name ? name : ""));
            } catch (IllegalArgumentException e) {
                LOG.debug("A group of a token becomes no team: its name {}", e.getMessage());
            }
        }
        return teams;
    }

    private static @Nullable String text(Map<String, Object> claims, String name) {
        return at(claims, name) instanceof String text && !text.isBlank() && text.length() <= LONGEST_TEXT
                ? text.strip()
                : null;
    }

    /** A claim of that very name, or else the one that the parts between the dots lead to. */
    private static @Nullable Object at(Map<?, ?> claims, String name) {
        Object found = claims.get(name);
        int dot = name.indexOf('.');
        if (found != null || dot < 0) {
            return found;
        }
        return claims.get(name.substring(0, dot)) instanceof Map<?, ?> nested
                ? at(nested, name.substring(dot + 1))
                : null;
    }
}
