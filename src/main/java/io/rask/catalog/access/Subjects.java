package io.rask.catalog.access;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Names of callers and teams as the permission model takes them, and the one place that makes them. What the model gives a meaning to
 * ({@code *}, {@code #}, {@code :}), blanks, slashes and everything beyond ASCII is escaped as {@code %XX}, so two names that differ stay
 * different; a slash only ever stands behind the name of a provider or the word {@code service}, so no provider can speak for another.
 */
public final class Subjects {
    private static final int LONGEST = 200;
    private static final String SERVICE = "service";
    private static final String KEPT = "-._~@+=|$!";
    private static final Pattern SUBJECT =
            Pattern.compile("(?:[a-z0-9][a-z0-9-]{0,30}/)?(?:[A-Za-z0-9._~@+=|$!-]|%[0-9A-F]{2})+");

    private Subjects() {}

    /**
     * The name of a caller or a team.
     *
     * @param provider the name of the provider that tells it; empty for the one whose names are taken as they are
     * @throws IllegalArgumentException when nothing is left to tell it by, or it is too long; the message does not repeat it
     */
    public static String of(String provider, String told) {
        if (told.isBlank()) {
            throw new IllegalArgumentException("is blank");
        }
        if (told.length() > LONGEST) {
            throw new IllegalArgumentException("is too long");
        }
        StringBuilder name = new StringBuilder(provider.isEmpty() ? "" : provider + "/");
        for (byte b : told.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (isKept(c)) {
                name.append(c);
            } else {
                name.append('%').append(hex(b >> 4)).append(hex(b));
            }
        }
        if (name.length() > LONGEST) {
            throw new IllegalArgumentException("is too long");
        }
        return name.toString();
    }

    /**
     * The name of a service of the platform.
     *
     * @throws IllegalArgumentException as {@link #of} does
     */
    public static String ofService(String told) {
        return of(SERVICE, told);
    }

    /** Whether a text is a name as it is made here. */
    public static boolean isSubject(String text) {
        return text.length() <= LONGEST && SUBJECT.matcher(text).matches();
    }

    private static boolean isKept(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || (c < 0x80 && KEPT.indexOf(c) >= 0);
    }

    private static char hex(int nibble) {
        return Character.toUpperCase(Character.forDigit(nibble & 0xf, 16));
    }
}
