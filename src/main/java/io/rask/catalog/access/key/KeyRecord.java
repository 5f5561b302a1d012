package io.rask.catalog.access.key;

import io.rask.catalog.record.CatalogRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is kept of a key.
 *
 * @param hash the SHA-256 of salt and secret; the secret is random, so nobody finds it by trying
 */
record KeyRecord(ApiKey key, String salt, String hash) {
    private static final int SALT_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    static ObjectNode content(KeyText text, String name, String owner, Instant expiresAt) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        String told = HexFormat.of().formatHex(salt);
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("id", text.id());
        content.put("name", name);
        content.put("owner", owner);
        content.put("expires_at", expiresAt.toString());
        content.put("salt", told);
        content.put("hash", hash(told, text.secret()));
        return content;
    }

    static KeyRecord of(CatalogRecord record) {
        ObjectNode content = record.content();
        ApiKey key = new ApiKey(
                content.path("id").asString(),
                content.path("name").asString(),
                content.path("owner").asString(),
                record.createdAt(),
                Instant.parse(content.path("expires_at").asString()));
        return new KeyRecord(
                key, content.path("salt").asString(), content.path("hash").asString());
    }

    /** Takes as long whether the secret is right or wrong. */
    boolean isProvenBy(String secret) {
        return MessageDigest.isEqual(bytes(hash), bytes(hash(salt, secret)));
    }

    private static String hash(String salt, String secret) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes(salt));
            return HexFormat.of().formatHex(digest.digest(bytes(secret)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
