package io.rask.catalog.lance;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Properties of a namespace or table, and the JSON text in which the manifest keeps them. */
public final class ManifestProperties {
    private static final JsonMapper JSON = JsonMapper.shared();

    private ManifestProperties() {}

    /** The text to store; null for no properties, as the library's own catalog writes it. */
    public static @Nullable String write(Map<String, String> properties) {
        return properties.isEmpty() ? null : JSON.writeValueAsString(properties);
    }

    /** The properties of a stored text, in its order. What another tool has written that is not an object of texts is told as text. */
    public static Map<String, String> read(@Nullable String metadata) {
        Map<String, String> properties = new LinkedHashMap<>();
        if (metadata == null) {
            return properties;
        }
        try {
            for (Map.Entry<String, JsonNode> entry : JSON.readTree(metadata).properties()) {
                JsonNode value = entry.getValue();
                properties.put(entry.getKey(), value.isString() ? value.asString() : value.toString());
            }
        } catch (JacksonException e) {
            properties.put("metadata", metadata);
        }
        return properties;
    }
}
