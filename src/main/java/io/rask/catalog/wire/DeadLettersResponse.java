package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Events that a webhook did not take, oldest first. */
public record DeadLettersResponse(
        List<DeadLetter> deadLetters, @Nullable String pageToken) {

    /**
     * One of them.
     *
     * @param webhook whom it was for
     * @param attempts how often it was tried
     * @param reason why it failed at last
     * @param at when that was
     */
    public record DeadLetter(String webhook, int attempts, String reason, String at, JsonNode event) {}
}
