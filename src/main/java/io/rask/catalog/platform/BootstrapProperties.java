package io.rask.catalog.platform;

import jakarta.validation.Valid;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who is there before anybody could have been let in.
 *
 * @param administrator the subject that administers the installation from the start
 * @param keys keys that are configured instead of made, by any name
 */
public record BootstrapProperties(
        @Nullable String administrator, @DefaultValue Map<String, @Valid Key> keys) {

    /**
     * A key that works while it is configured.
     *
     * @param subject whom it stands for
     * @param key its text, as {@code x-api-key} is to carry it
     */
    public record Key(@Nullable String subject, @Nullable String key) {
        /** Keeps the key out of logs. */
        @Override
        public String toString() {
            return "Key[subject=" + subject + "]";
        }
    }

    public BootstrapProperties {
        keys.forEach(BootstrapProperties::check);
    }

    private static void check(String name, Key key) {
        String property = "lance.bootstrap.keys." + name;
        if (key.subject() == null) {
            throw new IllegalArgumentException(property + ".subject must be set");
        }
        String text = key.key();
        if (text == null || text.length() < ServiceProperties.SHORTEST_SECRET) {
            throw new IllegalArgumentException(
                    property + ".key must have at least " + ServiceProperties.SHORTEST_SECRET + " characters");
        }
    }
}
