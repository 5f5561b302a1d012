package io.rask.catalog.access;

import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param subject the name the permission model knows the caller by, see {@link Subjects}
 * @param means how the caller was identified
 * @param teams the teams that the caller's token says it belongs to, in order
 * @param name what people call the caller
 */
public record Principal(
        String subject,
        Means means,
        Set<String> teams,
        @Nullable String name,
        @Nullable String email) {
    public static final Principal ANONYMOUS = new Principal("anonymous", Means.NONE, Set.of(), null, null);

    /** How somebody was identified. */
    public enum Means {
        /** Not at all: the server asks nobody. */
        NONE,
        /** By a bearer token of a provider. */
        TOKEN,
        /** By a key that somebody made for themselves. */
        API_KEY,
        /** By a key that the server is configured with. */
        CONFIGURED_KEY,
        /** As a service of the platform. */
        SERVICE;

        /** The means as answers spell it. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Principal {
        teams = sorted(teams);
    }

    /** Somebody of whom nothing but the name is known. */
    public static Principal of(String subject, Means means) {
        return new Principal(subject, means, Set.of(), null, null);
    }

    /** Whether nobody was identified because the server asks nobody. */
    public boolean anonymous() {
        return means == Means.NONE;
    }

    private static Set<String> sorted(Collection<String> teams) {
        return Collections.unmodifiableSet(new TreeSet<>(teams));
    }

    /** Leaves out what is personal: it may stand in a log. */
    @Override
    public String toString() {
        return subject + " (" + means.wireName() + ")";
    }
}
