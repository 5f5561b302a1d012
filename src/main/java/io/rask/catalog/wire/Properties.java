package io.rask.catalog.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Properties as bodies carry them. */
public final class Properties {
    private Properties() {}

    /** The properties without those that are null, which is how some clients write an absent one. */
    public static Map<String, String> present(@Nullable Map<String, @Nullable String> sent) {
        Map<String, String> present = new LinkedHashMap<>();
        if (sent != null) {
            sent.forEach((key, value) -> {
                if (value != null) {
                    present.put(key, value);
                }
            });
        }
        return present;
    }
}
