package io.rask.catalog.wire;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/** A full-text search. */
@JsonDeserialize(using = FullTextQuery.Reader.class)
public sealed interface FullTextQuery {

    /**
     * Words to look for.
     *
     * @param columns where; none means every indexed column
     */
    record Text(String query, List<String> columns) implements FullTextQuery {}

    /** A query with operators. */
    record Structured(FtsQuery query) implements FullTextQuery {}

    /** Reads {@code string_query} and {@code structured_query}, and LanceDB's forms without either. */
    final class Reader extends ValueDeserializer<FullTextQuery> {
        @Override
        public @Nullable FullTextQuery deserialize(JsonParser parser, DeserializationContext context) {
            JsonNode node = context.readTree(parser);
            if (!node.isObject()) {
                throw CatalogException.invalid("A full-text query is an object.");
            }
            boolean text = node.hasNonNull("string_query");
            boolean structured = node.hasNonNull("structured_query");
            if (text && structured) {
                throw CatalogException.invalid("Give either string_query or structured_query, not both.");
            }
            if (text || structured) {
                return either(node.get(text ? "string_query" : "structured_query"), context);
            }
            return node.hasNonNull("query") ? either(node, context) : absent(node);
        }

        private static @Nullable FullTextQuery absent(JsonNode node) {
            for (JsonNode value : node) {
                if (!value.isNull() && !value.isEmpty()) {
                    throw CatalogException.invalid("A full-text query has a field 'query'.");
                }
            }
            return null;
        }

        private static FullTextQuery either(JsonNode node, DeserializationContext context) {
            JsonNode query = node.path("query");
            if (query.isString()) {
                return new Text(query.stringValue(), columns(node.path("columns")));
            }
            if (!query.isObject()) {
                throw CatalogException.invalid("A full-text query has a field 'query'.");
            }
            return new Structured(context.readTreeAsValue(query, FtsQuery.class));
        }

        private static List<String> columns(JsonNode node) {
            List<String> columns = new ArrayList<>();
            for (JsonNode column : node) {
                if (!column.isString()) {
                    throw CatalogException.invalid("The columns of a full-text query are a list of texts.");
                }
                columns.add(column.stringValue());
            }
            return List.copyOf(columns);
        }
    }
}
