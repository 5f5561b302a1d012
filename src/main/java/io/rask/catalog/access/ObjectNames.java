package io.rask.catalog.access;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the permission engine spells what the catalog names. The engine takes no blanks, no {@code #} and {@code :}, gives {@code *} a
 * meaning of its own, and bounds a name with its type to 256 characters. So every byte but letters, digits and a few marks becomes
 * {@code %XX}; what is too long then becomes {@code ~} and its SHA-256. No two names become the same one.
 */
public final class ObjectNames {
    private static final String USER = "user:";
    private static final String PLAIN_MARKS = "-_.$@/+=";
    private static final int LONGEST = 200;
    private static final char HASHED = '~';
    private static final Pattern SPELLED = Pattern.compile("[A-Za-z0-9._~@+=|$!/%-]{1,200}");

    private ObjectNames() {}

    /** An object, as {@code type:name}. */
    public static String of(AccessObject object) {
        return object.kind().type() + ":" + encoded(object.id());
    }

    /**
     * A caller, as {@code user:name}.
     *
     * @throws IllegalArgumentException for a name that is not spelled as the engine takes it; who identifies callers spells them so
     */
    public static String user(String subject) {
        return USER + spelled(subject);
    }

    /** A team, as {@code team:name}. */
    public static String team(String team) {
        return "team:" + spelled(team);
    }

    private static String spelled(String name) {
        if (!SPELLED.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name of a caller or team is not spelled for the permission engine.");
        }
        return name;
    }

    /** What an engine's name stands for; empty for a type the catalog has no objects of, and for a name that was hashed. */
    public static Optional<AccessObject> object(String name) {
        int colon = name.indexOf(':');
        if (colon < 0 || name.indexOf(HASHED) == colon + 1) {
            return Optional.empty();
        }
        String type = name.substring(0, colon);
        for (AccessObject.Kind kind : AccessObject.Kind.values()) {
            if (kind.type().equals(type)) {
                return Optional.of(new AccessObject(kind, decoded(name.substring(colon + 1))));
            }
        }
        return Optional.empty();
    }

    /** The subject an engine's {@code user:name} stands for; empty where it is no user. */
    public static Optional<String> subject(String user) {
        return user.startsWith(USER) ? Optional.of(user.substring(USER.length())) : Optional.empty();
    }

    private static String encoded(String name) {
        StringBuilder encoded = new StringBuilder(name.length());
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            if (isPlain(c)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(String.format(Locale.ROOT, "%02X", each & 0xff));
            }
        }
        return encoded.length() > LONGEST ? HASHED + sha256(name) : encoded.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || PLAIN_MARKS.indexOf(c) >= 0;
    }

    private static String decoded(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int at = 0; at < encoded.length(); at++) {
            if (encoded.charAt(at) == '%' && at + 2 < encoded.length()) {
                bytes.write(HexFormat.fromHexDigits(encoded, at + 1, at + 3));
                at += 2;
            } else {
                bytes.write(encoded.charAt(at));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String sha256(String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
