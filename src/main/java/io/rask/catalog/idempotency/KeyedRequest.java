package io.rask.catalog.idempotency;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A request under the key its client gave it. Keys of two callers never meet.
 *
 * @param subject who asks
 * @param key the client's own name for the request
 * @param endpoint the operation and what it is for
 * @param fingerprint a hash of all that the request says besides; of rows, which stream, it knows nothing
 */
public record KeyedRequest(String subject, String key, String endpoint, String fingerprint) {
    static final String FOLDER = "_idempotency";

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** @throws CatalogException code 13 for a key that is none */
    public KeyedRequest {
        if (!KEY.matcher(key).matches()) {
            throw CatalogException.invalid("An Idempotency-Key has 1 to 64 of the characters A-Z a-z 0-9 . _ - alone.");
        }
    }

    /** The hash of parts that are told apart by their lengths. */
    public static String fingerprint(byte[]... parts) {
        MessageDigest digest = sha256();
        for (byte[] part : parts) {
            digest.update((part.length + ":").getBytes(StandardCharsets.US_ASCII));
            digest.update(part);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The record does not tell the key, which is what its answer is sealed with. */
    RecordKey recordKey() {
        return RecordKey.of(FOLDER, RecordKey.hashed("key", subject + '\0' + key));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
