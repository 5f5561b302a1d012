package io.rask.catalog.platform;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The permission engine, an OpenFGA server.
 *
 * @param enabled whether anyone is asked; without it whoever is let in may do everything
 * @param apiUrl where the engine's HTTP API is
 * @param storeId the store to use; without it the store of the name is found, or made
 * @param modelId the model to use; without it the latest of the store, which is made where it lacks something
 * @param storeName the name of the store where no id is given, as the engine takes names: 3 to 64 letters, digits, blanks and
 *     {@code . - / ^ _ & @}
 * @param token the preshared key the engine knows this server by
 * @param timeoutSeconds how long one question, with all its retries, may take
 * @param cacheTtl for how long an allowance that was given is not asked for again; 0 asks every time
 * @param cacheSize how many allowances are remembered
 * @param lockRootCreate whether without warehouses a top-level namespace needs a right on the root object
 * @param cascadeWriters subjects that become writers of every new warehouse
 */
public record FgaProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable String apiUrl,
        @Nullable String storeId,
        @Nullable String modelId,

        @DefaultValue("rask-lance-catalog") @NotBlank String storeName,

        @Nullable String token,
        @DefaultValue("5") @Min(1) @Max(60) int timeoutSeconds,
        @DefaultValue("3s") Duration cacheTtl,
        @DefaultValue("100000") @Min(1) int cacheSize,
        @DefaultValue("false") boolean lockRootCreate,
        @DefaultValue List<String> cascadeWriters) {

    /** The longest an allowance may outlive its grant on another replica. */
    private static final Duration LONGEST_CACHE = Duration.ofMinutes(1);

    private static final Pattern STORE_NAME = Pattern.compile("[A-Za-z0-9 ./^_&@-]{3,64}");

    public FgaProperties {
        if (enabled && (apiUrl == null || apiUrl.isBlank())) {
            throw new IllegalArgumentException("lance.fga.api-url must be set while lance.fga.enabled is true");
        }
        if (!STORE_NAME.matcher(storeName).matches()) {
            throw new IllegalArgumentException(
                    "lance.fga.store-name must be 3 to 64 letters, digits, blanks and . - / ^ _ & @");
        }
        if (cacheTtl.isNegative() || cacheTtl.compareTo(LONGEST_CACHE) > 0) {
            throw new IllegalArgumentException(
                    "lance.fga.cache-ttl must be from 0 to " + LONGEST_CACHE.toSeconds() + "s");
        }
    }

    public Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "FgaProperties[enabled=" + enabled + ", apiUrl=" + apiUrl + ", storeName=" + storeName + "]";
    }
}
