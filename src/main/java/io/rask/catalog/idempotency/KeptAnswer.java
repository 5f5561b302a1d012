package io.rask.catalog.idempotency;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * An answer as it went out. It may hold credentials that the catalog hands to clients, so it is kept sealed with the request's own
 * key, which no record has: whoever reads the records, or a copy of them, learns nothing.
 *
 * @param contentType empty where the answer has none
 */
public record KeptAnswer(int status, String contentType, byte[] body) {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    String sealed(KeyedRequest request) {
        byte[] type = contentType.getBytes(StandardCharsets.UTF_8);
        byte[] plain = ByteBuffer.allocate(8 + type.length + body.length)
                .putInt(status)
                .putInt(type.length)
                .put(type)
                .put(body)
                .array();
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        byte[] secret = run(Cipher.ENCRYPT_MODE, request, nonce, plain);
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(nonce.length + secret.length)
                        .put(nonce)
                        .put(secret)
                        .array());
    }

    static KeptAnswer unsealed(String sealed, KeyedRequest request) {
        byte[] bytes = Base64.getDecoder().decode(sealed);
        ByteBuffer plain = ByteBuffer.wrap(run(
                Cipher.DECRYPT_MODE,
                request,
                Arrays.copyOf(bytes, NONCE_BYTES),
                Arrays.copyOfRange(bytes, NONCE_BYTES, bytes.length)));
        int status = plain.getInt();
        byte[] type = new byte[plain.getInt()];
        plain.get(type);
        byte[] body = new byte[plain.remaining()];
        plain.get(body);
        return new KeptAnswer(status, new String(type, StandardCharsets.UTF_8), body);
    }

    private static byte[] run(int mode, KeyedRequest request, byte[] nonce, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(request.key().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] key = mac.doFinal(request.subject().getBytes(StandardCharsets.UTF_8));
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a kept answer cannot be sealed or opened", e);
        }
    }
}
