package io.rask.catalog.platform;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Keys that callers make for themselves.
 *
 * @param enabled whether {@code x-api-key} is looked at
 * @param cacheTtl for how long a server may go on with what it last read of a key; a revoked one works no longer than that
 * @param lifetime how long a key works at the most, and where its maker says nothing
 */
public record ApiKeyProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("10s") Duration cacheTtl,
        @DefaultValue("90d") Duration lifetime) {
    public ApiKeyProperties {
        if (cacheTtl.isNegative() || cacheTtl.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("lance.api-keys.cache-ttl must be 0s to 1h");
        }
        if (lifetime.compareTo(Duration.ofSeconds(1)) < 0 || lifetime.compareTo(Duration.ofDays(3650)) > 0) {
            throw new IllegalArgumentException("lance.api-keys.lifetime must be 1s to 3650d");
        }
    }
}
