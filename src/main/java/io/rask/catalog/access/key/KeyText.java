package io.rask.catalog.access.key;

import io.rask.catalog.record.RecordKey;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a caller sends: {@code rask_<id>_<secret>}. The id says where the record of the key is, the secret proves the key.
 *
 * @param id 12 digits that lead to the folder of the owner's keys, and 16 that are the key's own
 * @param secret 256 random bits
 */
record KeyText(String id, String secret) {
    private static final Pattern TEXT = Pattern.compile("rask_(?<id>[0-9a-f]{28})_(?<secret>[A-Za-z0-9_-]{43})");
    private static final int OWNER_DIGITS = 12;
    private static final int OWN_BYTES = 8;
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A key that nobody has had before. */
    static KeyText random(String owner) {
        byte[] secret = new byte[SECRET_BYTES];
        byte[] own = new byte[OWN_BYTES];
        RANDOM.nextBytes(secret);
        RANDOM.nextBytes(own);
        return new KeyText(
                ownerDigits(owner) + HexFormat.of().formatHex(own),
                Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** Empty for what cannot be a key. */
    static Optional<KeyText> parse(String sent) {
        Matcher found = TEXT.matcher(sent);
        return found.matches() ? Optional.of(new KeyText(found.group("id"), found.group("secret"))) : Optional.empty();
    }

    /** Whether a text may be the id of a key of this owner. */
    static boolean isIdOf(String owner, String id) {
        return id.matches("[0-9a-f]{28}") && id.startsWith(ownerDigits(owner));
    }

    static String ownerDigits(String owner) {
        String hashed = RecordKey.hashed("owner", owner);
        int from = hashed.indexOf('-') + 1;
        return hashed.substring(from, from + OWNER_DIGITS);
    }

    static String ownerDigitsOf(String id) {
        return id.substring(0, OWNER_DIGITS);
    }

    String text() {
        return "rask_" + id + "_" + secret;
    }

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "KeyText[id=" + id + "]";
    }
}
