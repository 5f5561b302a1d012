package io.rask.catalog.lance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a full-text search looks for. A column that is null means the search's own columns. */
public sealed interface TextQuery {
    /**
     * Words in any order.
     *
     * @param fuzziness how many letters of a word may differ; null to choose by its length
     * @param maxExpansions how many similar words to consider at most
     * @param all whether every word must occur, instead of at least one
     * @param prefixLength how many letters at the beginning must not differ
     */
    record Match(
            @Nullable String column,
            String terms,
            float boost,
            @Nullable Integer fuzziness,
            int maxExpansions,
            boolean all,
            int prefixLength)
            implements TextQuery {
        /** At least one of the words, exactly, anywhere. */
        public static Match of(String terms) {
            return new Match(null, terms, 1, 0, 50, false, 0);
        }
    }

    /** @param slop how many other words may stand between */
    record Phrase(@Nullable String column, String terms, int slop) implements TextQuery {}

    /** @param negativeBoost the factor for what also matches {@code negative} */
    record Boost(TextQuery positive, TextQuery negative, float negativeBoost) implements TextQuery {}

    /** The same words in several columns. */
    record MultiMatch(List<Match> matches) implements TextQuery {
        public MultiMatch {
            matches = List.copyOf(matches);
        }
    }

    /** Several queries together. */
    record Combined(List<TextQuery> must, List<TextQuery> should, List<TextQuery> mustNot) implements TextQuery {
        public Combined {
            must = List.copyOf(must);
            should = List.copyOf(should);
            mustNot = List.copyOf(mustNot);
        }
    }
}
