package io.rask.catalog.platform;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is told after the fact.
 *
 * @param enabled whether anything is told
 * @param patience how long an answer waits until what it did is in the log
 * @param buffer how many events may wait for a log that takes none
 * @param retention how long events are kept
 * @param mostSegments how many segments are kept; each holds what happened at one moment
 * @param webhooks who is told, by name
 */
public record EventProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("500ms") Duration patience,
        @DefaultValue("10000") @Min(1) @Max(1_000_000) int buffer,
        @DefaultValue("7d") Duration retention,
        @DefaultValue("100000") @Min(100) long mostSegments,
        @DefaultValue Map<String, @Valid Webhook> webhooks) {

    /**
     * Who is told of events.
     *
     * @param url where events are posted to
     * @param secret what their signatures are made with
     * @param types which types are told; all where there are none
     * @param attempts how often one event is tried
     * @param backoff the pause before the second attempt; it doubles with each, up to ten minutes
     * @param timeout how long one attempt may take
     */
    public record Webhook(
            @NotBlank String url,
            @NotBlank String secret,
            @DefaultValue List<String> types,
            @DefaultValue("8") @Min(1) @Max(50) int attempts,
            @DefaultValue("1s") Duration backoff,
            @DefaultValue("10s") Duration timeout) {

        /** Keeps the secret out of logs. */
        @Override
        public String toString() {
            return "Webhook[url=" + url + ", types=" + types + "]";
        }
    }

    public EventProperties {
        if (patience.isNegative() || patience.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("lance.events.patience must be 0s to 1m");
        }
        if (retention.compareTo(Duration.ofMinutes(1)) < 0) {
            throw new IllegalArgumentException("lance.events.retention must be at least 1m");
        }
    }
}
