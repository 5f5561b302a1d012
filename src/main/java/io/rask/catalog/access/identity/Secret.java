package io.rask.catalog.access.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A secret that is only compared; it is not kept, and comparing takes as long whether it is right or wrong. */
final class Secret {
    private final byte[] hash;

    private Secret(byte[] hash) {
        this.hash = hash;
    }

    static Secret of(String text) {
        try {
            return new Secret(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a text is the secret. */
    boolean is(String text) {
        return MessageDigest.isEqual(hash, of(text).hash);
    }
}
