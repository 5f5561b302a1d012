package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/** A full-text query with operators; on the wire an object with one field that names its kind. */
@JsonDeserialize(using = FtsQuery.Reader.class)
public sealed interface FtsQuery {

    /** How the terms of a match combine. */
    enum Operator {
        AND,
        OR;

        @JsonCreator
        public static Operator of(String text) {
            return WireNames.parse(Operator.class, text);
        }
    }

    /**
     * Terms, in any order.
     *
     * @param column absent means every indexed column
     * @param fuzziness how many letters may differ; absent leaves it to the engine
     */
    @JsonDeserialize
    record Match(
            @Nullable String column,
            String terms,
            @Nullable Double boost,
            @Nullable Integer fuzziness,
            @Nullable Integer maxExpansions,
            @Nullable Operator operator,
            @Nullable Integer prefixLength)
            implements FtsQuery {
        public Match {
            require("match", "terms", terms);
        }
    }

    /** Terms in this order, with at most {@code slop} words between. */
    @JsonDeserialize
    record Phrase(
            @Nullable String column, String terms, @Nullable Integer slop) implements FtsQuery {
        public Phrase {
            require("phrase", "terms", terms);
        }
    }

    /** What matches the positive query, ranked lower where it matches the negative one too. */
    @JsonDeserialize
    record Boost(
            FtsQuery positive, FtsQuery negative, @Nullable Double negativeBoost) implements FtsQuery {
        public Boost {
            require("boost", "positive", positive);
            require("boost", "negative", negative);
        }
    }

    /** The best of several matches. */
    record MultiMatch(List<Match> matchQueries) implements FtsQuery {}

    /** Conditions that may, must and must not hold. */
    @JsonDeserialize
    record Bool(
            @Nullable List<FtsQuery> should,
            @Nullable List<FtsQuery> must,
            @Nullable List<FtsQuery> mustNot) implements FtsQuery {}

    private static void require(String kind, String field, @Nullable Object value) {
        if (value == null) {
            throw CatalogException.invalid("A " + kind + " query has a field '" + field + "'.");
        }
    }

    /** Reads the kind, then what the kind holds. */
    final class Reader extends ValueDeserializer<FtsQuery> {
        private static final Map<String, Class<? extends FtsQuery>> KINDS = Map.of(
                "match", Match.class,
                "phrase", Phrase.class,
                "boost", Boost.class,
                "multi_match", MultiMatch.class,
                "boolean", Bool.class);

        @Override
        public FtsQuery deserialize(JsonParser parser, DeserializationContext context) {
            JsonNode node = context.readTree(parser);
            List<String> kinds =
                    KINDS.keySet().stream().filter(node::hasNonNull).toList();
            if (kinds.size() != 1) {
                throw CatalogException.invalid(
                        "A structured full-text query is one of match, phrase, boost, multi_match and boolean.");
            }
            String kind = kinds.getFirst();
            JsonNode value = node.get(kind);
            return kind.equals("multi_match")
                    ? multiMatch(value, context)
                    : context.readTreeAsValue(value, KINDS.get(kind));
        }

        /** A null among the parts of a query is none of its parts. */
        @Override
        public FtsQuery getNullValue(DeserializationContext context) {
            throw CatalogException.invalid("A part of a full-text query is missing or null.");
        }

        /** The specification lists the matches; LanceDB gives the terms once, with the columns and their boosts. */
        private static MultiMatch multiMatch(JsonNode node, DeserializationContext context) {
            List<Match> matches = new ArrayList<>();
            for (JsonNode match : node.path("match_queries")) {
                if (!match.isObject()) {
                    throw CatalogException.invalid("A part of a multi_match query is no match.");
                }
                matches.add(context.readTreeAsValue(match, Match.class));
            }
            JsonNode terms = node.path("query");
            JsonNode columns = node.path("columns");
            JsonNode operator = node.path("operator");
            for (int i = 0; terms.isString() && i < columns.size(); i++) {
                JsonNode boost = node.path("boost").path(i);
                matches.add(new Match(
                        columns.get(i).asString(),
                        terms.stringValue(),
                        boost.isNumber() ? boost.doubleValue() : null,
                        // Said nowhere, it is none here.
                        0,
                        null,
                        operator.isString() ? Operator.of(operator.stringValue()) : null,
                        null));
            }
            if (matches.isEmpty()) {
                throw CatalogException.invalid("A multi_match query has at least one match.");
            }
            return new MultiMatch(List.copyOf(matches));
        }
    }
}
