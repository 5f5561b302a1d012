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

/** Which columns an answer has. */
@JsonDeserialize(using = QueryColumns.Reader.class)
public sealed interface QueryColumns {

    /** Every column of the table. */
    record All() implements QueryColumns {}

    /** The columns of these paths, in this order; none means that only what the search adds is wanted. */
    record Names(List<String> paths) implements QueryColumns {}

    /** Output names with the path of the column behind each, in order: the specification's grammar. */
    record Aliases(Map<String, String> paths) implements QueryColumns {}

    /** Output names with the SQL expression behind each, in order: LanceDB's grammar. */
    record Expressions(Map<String, String> expressions) implements QueryColumns {}

    /** Tells the grammars apart by their form. */
    final class Reader extends ValueDeserializer<QueryColumns> {
        private static final String NAMES = "column_names";
        private static final String ALIASES = "column_aliases";

        @Override
        public QueryColumns getNullValue(DeserializationContext context) {
            return new All();
        }

        @Override
        public QueryColumns getAbsentValue(DeserializationContext context) {
            return new All();
        }

        @Override
        public QueryColumns deserialize(JsonParser parser, DeserializationContext context) {
            JsonNode node = context.readTree(parser);
            if (node.isArray()) {
                return new Names(names(node));
            }
            if (!node.isObject()) {
                throw CatalogException.invalid("The columns are a list of names, or an object of output names.");
            }
            if (node.has(NAMES) || node.has(ALIASES)) {
                return spec(names(node.get(NAMES)), texts(node.get(ALIASES)));
            }
            return node.isEmpty() ? new All() : new Expressions(texts(node));
        }

        private static QueryColumns spec(List<String> names, Map<String, String> aliases) {
            if (!names.isEmpty() && !aliases.isEmpty()) {
                throw CatalogException.invalid("Give either column_names or column_aliases, not both.");
            }
            if (!aliases.isEmpty()) {
                return new Aliases(aliases);
            }
            return names.isEmpty() ? new All() : new Names(names);
        }

        private static List<String> names(@Nullable JsonNode node) {
            if (node == null || node.isNull()) {
                return List.of();
            }
            if (!node.isArray()) {
                throw CatalogException.invalid("The names of columns are a list of texts.");
            }
            List<String> names = new ArrayList<>(node.size());
            node.forEach(name -> names.add(text(name)));
            return List.copyOf(names);
        }

        private static Map<String, String> texts(@Nullable JsonNode node) {
            if (node == null || node.isNull()) {
                return Map.of();
            }
            if (!node.isObject()) {
                throw CatalogException.invalid("The output names of columns are the names of an object.");
            }
            Map<String, String> texts = new LinkedHashMap<>();
            node.properties().forEach(entry -> texts.put(entry.getKey(), text(entry.getValue())));
            return texts;
        }

        private static String text(JsonNode node) {
            if (!node.isString() || node.stringValue().isEmpty()) {
                throw CatalogException.invalid("A column is named by a text that is not empty.");
            }
            return node.stringValue();
        }
    }
}
