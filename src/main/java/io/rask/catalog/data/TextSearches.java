package io.rask.catalog.data;

import io.rask.catalog.lance.TextQuery;
import io.rask.catalog.lance.TextSearch;
import io.rask.catalog.wire.FtsQuery;
import io.rask.catalog.wire.FullTextQuery;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Full-text searches of the wire in the terms of the native layer. */
final class TextSearches {
    private static final int MAX_EXPANSIONS = 50;
    private static final float NEGATIVE_BOOST = 0.5f;

    private TextSearches() {}

    static TextSearch of(FullTextQuery query) {
        return switch (query) {
            case FullTextQuery.Text text -> new TextSearch(TextQuery.Match.of(text.query()), text.columns());
            case FullTextQuery.Structured structured -> new TextSearch(of(structured.query()), List.of());
        };
    }

    private static TextQuery of(FtsQuery query) {
        return switch (query) {
            case FtsQuery.Match match -> match(match);
            case FtsQuery.Phrase phrase ->
                new TextQuery.Phrase(phrase.column(), phrase.terms(), Objects.requireNonNullElse(phrase.slop(), 0));
            case FtsQuery.Boost boost ->
                new TextQuery.Boost(
                        of(boost.positive()), of(boost.negative()), number(boost.negativeBoost(), NEGATIVE_BOOST));
            case FtsQuery.MultiMatch matches ->
                new TextQuery.MultiMatch(
                        matches.matchQueries().stream().map(TextSearches::match).toList());
            case FtsQuery.Bool bool ->
                new TextQuery.Combined(all(bool.must()), all(bool.should()), all(bool.mustNot()));
        };
    }

    private static TextQuery.Match match(FtsQuery.Match match) {
        return new TextQuery.Match(
                match.column(),
                match.terms(),
                number(match.boost(), 1),
                match.fuzziness(),
                Objects.requireNonNullElse(match.maxExpansions(), MAX_EXPANSIONS),
                match.operator() == FtsQuery.Operator.AND,
                Objects.requireNonNullElse(match.prefixLength(), 0));
    }

    private static List<TextQuery> all(@Nullable List<FtsQuery> queries) {
        return queries == null
                ? List.of()
                : queries.stream().map(TextSearches::of).toList();
    }

    private static float number(@Nullable Double sent, float otherwise) {
        return sent == null ? otherwise : sent.floatValue();
    }
}
