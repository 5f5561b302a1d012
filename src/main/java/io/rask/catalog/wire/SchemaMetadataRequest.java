package io.rask.catalog.wire;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * The body of a change of a schema's metadata: the keys and their values directly, or, as some clients send it, in an envelope of id
 * and metadata. A member that is no text belongs to the envelope.
 *
 * @param metadata new values by key; null takes a key away
 */
@JsonDeserialize(using = SchemaMetadataRequest.Reader.class)
public record SchemaMetadataRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @Nullable String branch,
        Map<String, @Nullable String> metadata)
        implements ObjectBody {

    /** Tells the two forms apart. */
    static final class Reader extends ValueDeserializer<SchemaMetadataRequest> {
        @Override
        public SchemaMetadataRequest deserialize(JsonParser parser, DeserializationContext context) {
            JsonNode node = context.readTree(parser);
            if (!node.isObject()) {
                throw CatalogException.invalid("The metadata is an object of texts.");
            }
            boolean envelope = node.path("metadata").isObject();
            Map<String, @Nullable String> metadata = new LinkedHashMap<>();
            JsonNode texts = envelope ? node.path("metadata") : node;
            texts.properties().forEach(entry -> {
                boolean around = !envelope && isOfEnvelope(entry.getKey(), entry.getValue());
                if (!around) {
                    metadata.put(entry.getKey(), text(entry.getKey(), entry.getValue()));
                }
            });
            JsonNode branch = node.path("branch");
            return new SchemaMetadataRequest(
                    ids(node.path("id")),
                    node.path("context").isObject() ? texts(node.path("context")) : null,
                    envelope && branch.isString() ? branch.stringValue() : null,
                    metadata);
        }

        private static boolean isOfEnvelope(String key, JsonNode value) {
            return key.equals("id") && value.isArray()
                    || (key.equals("context") || key.equals("identity")) && value.isObject();
        }

        private static @Nullable String text(String key, JsonNode value) {
            if (value.isNull()) {
                return null;
            }
            if (!value.isString()) {
                throw CatalogException.invalid("The value of '" + key + "' is no text.");
            }
            return value.stringValue();
        }

        private static @Nullable List<@Nullable String> ids(JsonNode node) {
            if (!node.isArray()) {
                return null;
            }
            List<@Nullable String> ids = new ArrayList<>();
            node.forEach(each -> ids.add(text("id", each)));
            return ids;
        }

        private static Map<String, @Nullable String> texts(JsonNode node) {
            Map<String, @Nullable String> texts = new LinkedHashMap<>();
            node.properties().forEach(entry -> texts.put(entry.getKey(), text(entry.getKey(), entry.getValue())));
            return texts;
        }
    }
}
