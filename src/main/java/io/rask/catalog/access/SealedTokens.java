package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Page tokens that name something the caller must not know of: whoever holds one can neither read it, nor learn from its length, nor
 * use it for another list or as another caller. Every server opens them with the key on the control root.
 */
@Component
final class SealedTokens {
    /** No name and no id begins so, and it keeps a token from being taken for a name in the client's own spelling. */
    private static final String MARK = "$";

    private static final RecordKey KEY = RecordKey.of("_access", "page-tokens");
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int BLOCK = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Records records;
    private volatile @Nullable SecretKey known;

    SealedTokens(Records records) {
        this.records = records;
    }

    static boolean isSealed(String token) {
        return token.startsWith(MARK);
    }

    /**
     * A token that only {@link #opened} reads.
     *
     * @param use what it is good for: the list and the caller
     */
    String sealed(String use, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        int length = (Integer.BYTES + text.length + BLOCK - 1) / BLOCK * BLOCK;
        byte[] plain = Arrays.copyOf(
                ByteBuffer.allocate(Integer.BYTES + text.length)
                        .putInt(text.length)
                        .put(text)
                        .array(),
                length);
        byte[] nonce = random(NONCE_BYTES);
        try {
            byte[] secret = cipher(Cipher.ENCRYPT_MODE, use, nonce).doFinal(plain);
            byte[] token = ByteBuffer.allocate(nonce.length + secret.length)
                    .put(nonce)
                    .put(secret)
                    .array();
            return MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(token);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a page token cannot be sealed", e);
        }
    }

    /**
     * What a sealed token names.
     *
     * @throws CatalogException code 13 when it was not made here for this use
     */
    String opened(String use, String token) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token.substring(MARK.length()));
            if (bytes.length < NONCE_BYTES) {
                throw unknown();
            }
            ByteBuffer plain = ByteBuffer.wrap(cipher(Cipher.DECRYPT_MODE, use, Arrays.copyOf(bytes, NONCE_BYTES))
                    .doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES));
            byte[] text = new byte[plain.getInt()];
            plain.get(text);
            return new String(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException | AEADBadTagException e) {
            throw unknown();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a page token cannot be opened", e);
        }
    }

    private static CatalogException unknown() {
        return CatalogException.invalid("The page token is none that this list gave to this caller.");
    }

    private Cipher cipher(int mode, String use, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(use.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    /** The first server that needs one makes it; of two at the same time, one. */
    private SecretKey key() {
        SecretKey key = known;
        if (key == null) {
            String fresh = Base64.getEncoder().encodeToString(random(KEY_BYTES));
            String kept = records.create(
                            KEY, JsonNodeFactory.instance.objectNode().put("key", fresh))
                    .record()
                    .content()
                    .path("key")
                    .asString();
            key = new SecretKeySpec(Base64.getDecoder().decode(kept), "AES");
            known = key;
        }
        return key;
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return random;
    }
}
