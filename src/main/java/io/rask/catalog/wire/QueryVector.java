package io.rask.catalog.wire;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * The vectors of a query: {@code [1,2]}, {@code [[1,2],[3,4]]}, <code>{"single_vector":[1,2]}</code> or
 * <code>{"multi_vector":[[1,2],[3,4]]}</code>.
 *
 * @param vectors none for a plain scan; every number is finite and every vector has at least one
 */
@JsonDeserialize(using = QueryVector.Reader.class)
public record QueryVector(List<float[]> vectors) {
    /** A query without a vector. */
    public static final QueryVector NONE = new QueryVector(List.of());

    private static final String FORM = "A vector is a list of numbers, and several vectors are a list of such lists.";

    public QueryVector {
        vectors = List.copyOf(vectors);
    }

    public boolean isEmpty() {
        return vectors.isEmpty();
    }

    /** Reads token by token: a tree of a hundred thousand numbers would cost many times their size. */
    static final class Reader extends ValueDeserializer<QueryVector> {
        @Override
        public QueryVector getNullValue(DeserializationContext context) {
            return NONE;
        }

        @Override
        public QueryVector getAbsentValue(DeserializationContext context) {
            return NONE;
        }

        @Override
        public QueryVector deserialize(JsonParser parser, DeserializationContext context) {
            return switch (parser.currentToken()) {
                case START_ARRAY -> new QueryVector(array(parser));
                case START_OBJECT -> object(parser);
                default -> throw CatalogException.invalid(FORM);
            };
        }

        private static QueryVector object(JsonParser parser) {
            List<float[]> found = List.of();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                boolean known = name.equals("single_vector") || name.equals("multi_vector");
                if (!known || value == JsonToken.VALUE_NULL) {
                    parser.skipChildren();
                    continue;
                }
                if (value != JsonToken.START_ARRAY) {
                    throw CatalogException.invalid(FORM);
                }
                List<float[]> vectors = array(parser);
                if (!found.isEmpty() && !vectors.isEmpty()) {
                    throw CatalogException.invalid("Give either single_vector or multi_vector, not both.");
                }
                found = vectors.isEmpty() ? found : vectors;
            }
            return new QueryVector(found);
        }

        /** The parser stands on the opening bracket, and afterwards on the closing one. */
        private static List<float[]> array(JsonParser parser) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.END_ARRAY) {
                return List.of();
            }
            if (first != JsonToken.START_ARRAY) {
                return List.of(numbers(parser, first));
            }
            List<float[]> vectors = new ArrayList<>();
            for (JsonToken token = first; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                if (token != JsonToken.START_ARRAY) {
                    throw CatalogException.invalid(FORM);
                }
                vectors.add(numbers(parser, parser.nextToken()));
            }
            return vectors;
        }

        private static float[] numbers(JsonParser parser, JsonToken first) {
            float[] numbers = new float[256];
            int count = 0;
            for (JsonToken token = first; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
                    throw CatalogException.invalid(FORM);
                }
                float number = (float) parser.getDoubleValue();
                if (!Float.isFinite(number)) {
                    throw CatalogException.invalid("The vector has a number that is too large.");
                }
                if (count == numbers.length) {
                    numbers = Arrays.copyOf(numbers, count * 2);
                }
                numbers[count++] = number;
            }
            if (count == 0) {
                throw CatalogException.invalid("The query has a vector without numbers.");
            }
            return Arrays.copyOf(numbers, count);
        }
    }
}
