package io.rask.catalog.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.openfga.sdk.api.model.AuthorizationModel;
import dev.openfga.sdk.api.model.WriteAuthorizationModelRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The types and relations this version of the catalog asks for, as {@code openfga/model.json} has them. */
public final class AccessModel {
    private static final String RESOURCE = "/openfga/model.json";
    /** What the engine adds to a model it was given. */
    private static final Set<String> ADDED = Set.of("module", "source_info");

    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private final JsonNode ours;

    public AccessModel() {
        try (InputStream resource = AccessModel.class.getResourceAsStream(RESOURCE)) {
            this.ours = JSON.readTree(resource);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How a model of the engine compares with ours. */
    enum Comparison {
        /** Says the same. */
        SAME,
        /** Has all our relations and more: that of a newer version, which must not lose what it needs. */
        WIDER,
        /** Lacks relations and has none that we do not know: ours gives it more and takes nothing. */
        OLDER,
        /** Lacks some and has others, or has the same and says something else of one: not a version of ours. */
        FOREIGN
    }

    Comparison compare(AuthorizationModel theirs) {
        JsonNode other = JSON.valueToTree(theirs);
        if (plain(part(other)).equals(plain(part(ours)))) {
            return Comparison.SAME;
        }
        Map<String, Set<String>> known = relations(ours);
        Map<String, Set<String>> found = relations(other);
        boolean lacks = !holds(found, known);
        boolean more = !holds(known, found);
        // A version that only says something else of a relation has one more that says so, see model_version.
        return lacks == more ? Comparison.FOREIGN : lacks ? Comparison.OLDER : Comparison.WIDER;
    }

    WriteAuthorizationModelRequest upload() {
        try {
            AuthorizationModel model = JSON.treeToValue(ours, AuthorizationModel.class);
            return new WriteAuthorizationModelRequest()
                    .schemaVersion(model.getSchemaVersion())
                    .typeDefinitions(model.getTypeDefinitions())
                    .conditions(model.getConditions());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The model of the permissions cannot be read.", e);
        }
    }

    /** Whether a type of the model has a relation. */
    public boolean has(String type, String relation) {
        return relations(ours).getOrDefault(type, Set.of()).contains(relation);
    }

    /** The relations of every type, by the type's name. */
    public Map<String, Set<String>> relations() {
        return relations(ours);
    }

    private static boolean holds(Map<String, Set<String>> all, Map<String, Set<String>> part) {
        return part.entrySet().stream()
                .allMatch(each -> all.containsKey(each.getKey())
                        && all.getOrDefault(each.getKey(), Set.of()).containsAll(each.getValue()));
    }

    private static Map<String, Set<String>> relations(JsonNode model) {
        Map<String, Set<String>> relations = new TreeMap<>();
        for (JsonNode type : model.path("type_definitions")) {
            Set<String> names = new TreeSet<>();
            type.path("relations").fieldNames().forEachRemaining(names::add);
            relations.put(type.path("type").asText(), names);
        }
        return relations;
    }

    private static JsonNode part(JsonNode model) {
        ObjectNode part = JSON.createObjectNode();
        Map<String, JsonNode> types = new TreeMap<>();
        model.path("type_definitions")
                .forEach(type -> types.put(type.path("type").asText(), type));
        types.forEach(part::set);
        part.set("conditions", model.path("conditions"));
        return part;
    }

    /** Without what means nothing: empty texts, empty lists and objects beside others, and what the engine adds. */
    private static JsonNode plain(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode plain = JSON.createObjectNode();
            object.properties().forEach(field -> {
                JsonNode value = plain(field.getValue());
                boolean empty = value.isNull()
                        || value.isMissingNode()
                        || (value.isTextual() && value.asText().isEmpty())
                        || (value.isContainerNode()
                                && value.isEmpty()
                                && !field.getKey().equals("this"));
                if (!empty && !ADDED.contains(field.getKey())) {
                    plain.set(field.getKey(), value);
                }
            });
            return plain;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode plain = JSON.createArrayNode();
            array.forEach(item -> plain.add(plain(item)));
            return plain;
        }
        return node;
    }
}
