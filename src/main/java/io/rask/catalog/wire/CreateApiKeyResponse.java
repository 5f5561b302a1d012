package io.rask.catalog.wire;

/**
 * A key that was just made.
 *
 * @param subject whom it stands for
 * @param createdAt UTC
 * @param expiresAt UTC
 * @param key what {@code x-api-key} is to carry; nobody can tell it again
 */
public record CreateApiKeyResponse(
        String id, String name, String subject, String createdAt, String expiresAt, String key) {
    /** Keeps the key out of logs. */
    @Override
    public String toString() {
        return "CreateApiKeyResponse[id=" + id + "]";
    }
}
