package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.wire.WireJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An index that went when its column got another type.
 *
 * @param name its name
 * @param field the id of the field it was of, which each change of a type replaces
 * @param column the path of that field, as it is named now
 * @param type what the library calls its kind
 * @param details what the library told of it, as JSON; null where it told nothing
 */
public record LostIndex(
        String name,
        int field,
        String column,
        String type,
        @Nullable String details) {
    private static final JsonMapper JSON = WireJson.mapper();

    /** The name on the wire of its kind; {@code Unknown} for one that nobody can ask for. */
    public String kind() {
        return IndexKind.wireName(type);
    }

    /**
     * The index as it would be asked for. What cannot be told of the old one, such as how long it learned, is left to the catalog.
     *
     * @throws CatalogException code 13 for a kind that nobody can ask for
     */
    public NewIndex wanted() {
        IndexKind kind = IndexKind.of(kind());
        JsonNode told = told();
        return new NewIndex(
                name,
                column,
                kind,
                kind.isVector() ? VectorIndexSettings.told(kind, told) : VectorIndexSettings.NONE,
                kind == IndexKind.FTS ? TextIndexSettings.told(told) : TextIndexSettings.NONE);
    }

    private JsonNode told() {
        try {
            return details == null ? JsonNodeFactory.instance.objectNode() : JSON.readTree(details);
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
